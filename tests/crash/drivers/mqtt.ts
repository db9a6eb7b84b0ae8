import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "@telex/conformance/testing";
import { type MqttDevice, type MqttText, openMqtt } from "test-support/mqtt";
import type { Life } from "../support/life.ts";
import { count, makeWord, type Printer, type World } from "../world.ts";
import { receive } from "./receive.ts";

/** Acknowledges some texts. Those before the answer to a ping are stored. */
async function acknowledge(
  world: World,
  life: Life,
  device: MqttDevice,
  { deliveries }: Printer,
  texts: readonly MqttText[],
): Promise<void> {
  for (const { id, packetId } of texts) {
    deliveries.acknowledging(id);
    device.acknowledge(packetId);
  }
  const isStored = await device.ping();
  count(world, life, "PUBACK", isStored ? { kind: "done", value: null } : { kind: "unknown" });
  if (isStored) for (const { id } of texts) deliveries.settle(id, "device");
}

/** Publishes a text, or repeats an unanswered one with DUP. */
async function say(world: World, life: Life, device: MqttDevice, to: Printer, repeated?: Said): Promise<void> {
  const word = repeated?.word ?? makeWord(world, "say");
  const nonce = repeated?.nonce ?? String((world.words % 60_000) + 1);
  to.texts.try(word);
  const isStored = await device.say(word, Number(nonce), repeated !== undefined);
  count(world, life, "PUBLISH", isStored ? { kind: "done", value: null } : { kind: "unknown" });
  if (isStored) world.problems.push(...to.texts.acknowledge(word));
  else world.unanswered.publishes.push({ to, word, nonce });
}

type Said = World["unanswered"]["publishes"][number];

async function repeatAll(world: World, life: Life, device: MqttDevice, printer: Printer): Promise<void> {
  const { unanswered } = world;
  const own = unanswered.publishes.filter(({ to }) => to === printer);
  unanswered.publishes = unanswered.publishes.filter(({ to }) => to !== printer);
  for (const one of own) await say(world, life, device, printer, one);
}

/** Opens one connection over MQTT, acknowledges most texts, and leaves the rest to the next connection over any transport. */
export async function connectMqtt(world: World, life: Life, random: Random, printer: Printer): Promise<void> {
  const queue: MqttText[] = [];
  printer.deliveries.restart();
  const device = await openMqtt({
    url: life.url,
    token: world.alice.token,
    deviceId: printer.deviceId,
    onText(text) {
      receive(world, printer, text);
      queue.push(text);
    },
  });
  if (device === null) return;
  await repeatAll(world, life, device, printer);
  const turns = 5 + Math.floor(random.next() * 40);
  for (let turn = 0; turn < turns && !life.dying; turn += 1) {
    await acknowledge(world, life, device, printer, queue.splice(0, 1 + Math.floor(random.next() * 6)));
    if (random.chance(0.3)) await say(world, life, device, printer);
    await delay(random.next() * 12);
  }
  device.close(random.chance(0.5));
  await device.ended;
}
