import { setTimeout as delay } from "node:timers/promises";
import type { DeviceMessageView } from "@telex/core";
import { teleprinterContract } from "@telex/core/contract";
import type { Random } from "@telex/conformance/testing";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import { codeOf, openSocket, type Socket } from "../support/socket.ts";
import { connectMqtt } from "./mqtt.ts";
import { receive } from "./receive.ts";
import { complain, count, type Driver, pick, type Printer, whileAlive, type World } from "../world.ts";

const message = teleprinterContract.send.output;
const messages = teleprinterContract.poll.output;

/** Receives the texts of a printer until the server is gone. */
type Drive = (world: World, life: Life, random: Random, printer: Printer) => Promise<void>;

async function drivePoll(world: World, life: Life, random: Random, printer: Printer): Promise<void> {
  await whileAlive(life, random, async ({ alice }) => {
    const fields = {
      deviceId: printer.deviceId,
      limit: 1 + Math.floor(random.next() * 20),
      wait: random.chance(0.3) ? 1 : 0,
    };
    const outcome = await alice.get(paths.poll, fields, messages);
    count(world, life, "poll", outcome);
    complain(world, "poll", outcome);
    if (outcome.kind === "done") for (const one of outcome.value) receive(world, printer, one);
  });
}

/** A device that acknowledges received texts. Sometimes it omits that, and gets the same texts again. */
function createAckPoll(world: World, life: Life, random: Random, printer: Printer) {
  const { deviceId, deliveries } = printer;
  // A device that restarts has lost the ids that it did not store.
  let ack = 0;
  let newest = 0;
  return async ({ alice }: Life["apis"]): Promise<void> => {
    if (random.chance(0.8)) ack = newest;
    for (const id of deliveries.received) if (id <= ack) deliveries.acknowledging(id);
    const outcome = await alice.get(paths.poll, { deviceId, limit: 10, ack }, messages);
    count(world, life, "poll with ack", outcome);
    complain(world, "poll with ack", outcome);
    if (outcome.kind !== "done") return;
    deliveries.settleUpTo(ack);
    let last = ack;
    for (const one of outcome.value) {
      if (one.id <= last) world.problems.push(`poll with ack: ${one.id} came after ${last}`);
      receive(world, printer, one, true);
      last = one.id;
    }
    newest = last;
  };
}

const driveAckPoll: Drive = (world, life, random, printer) =>
  whileAlive(life, random, createAckPoll(world, life, random, printer));

type Device = Socket<"teleprinter">;

function openDevice(world: World, life: Life, printer: Printer, onMessage: (view: DeviceMessageView) => void) {
  const { deviceId, mode } = printer;
  return openSocket({
    url: life.url,
    token: world.alice.token,
    channel: "teleprinter",
    query: mode === "socket" ? { deviceId } : { deviceId, ack: "1" },
    onEvent({ type, data }) {
      if (type !== "TeleprinterMessage") return void world.problems.push(`device socket: ${type}`);
      const view = message.parse(data);
      receive(world, printer, view);
      onMessage(view);
    },
  });
}

async function driveSocket(world: World, life: Life, random: Random, printer: Printer): Promise<void> {
  const socket = await openDevice(world, life, printer, () => undefined);
  if (socket === null) return;
  await whileAlive(life, random, async () => void (await codeOf(socket.call("heartbeat", {}))), 200);
  await socket.ended;
}

async function acknowledge(world: World, life: Life, socket: Device, printer: Printer, id: number): Promise<void> {
  printer.deliveries.acknowledging(id);
  const done = (await codeOf(socket.call("ack", { id }))) === 200;
  count(world, life, "ack", done ? { kind: "done", value: null } : { kind: "unknown" });
  if (done) printer.deliveries.settle(id, "device");
}

/** Opens one connection, acknowledges most texts, and leaves the rest to the next connection. */
async function connectOnce(world: World, life: Life, random: Random, printer: Printer): Promise<void> {
  const queue: number[] = [];
  printer.deliveries.restart();
  const socket = await openDevice(world, life, printer, ({ id }) => queue.push(id));
  if (socket === null) return;
  const turns = 5 + Math.floor(random.next() * 60);
  for (let turn = 0; turn < turns && !life.dying; turn += 1) {
    const id = queue.shift();
    if (id !== undefined) await acknowledge(world, life, socket, printer, id);
    await delay(random.next() * 12);
  }
  socket.close();
  await socket.ended;
}

async function driveAckSocket(world: World, life: Life, random: Random, printer: Printer): Promise<void> {
  while (!life.dying) await connectOnce(world, life, random, printer);
}

const driveMqtt: Drive = async (world, life, random, printer) => {
  while (!life.dying) await connectMqtt(world, life, random, printer);
};

async function pollSome(world: World, life: Life, random: Random, printer: Printer): Promise<void> {
  printer.deliveries.restart();
  const poll = createAckPoll(world, life, random, printer);
  for (let times = Math.floor(random.next() * 20); times > 0 && !life.dying; times -= 1) await poll(life.apis);
}

/** A device that changes between MQTT, sockets and polls. */
const driveMixed: Drive = async (world, life, random, printer) => {
  while (!life.dying) await pick(random, [connectMqtt, connectOnce, pollSome])(world, life, random, printer);
};

const byMode: Readonly<Record<Printer["mode"], Drive>> = {
  poll: drivePoll,
  ack: driveAckPoll,
  socket: driveSocket,
  ackSocket: driveAckSocket,
  mqtt: driveMqtt,
  mixed: driveMixed,
};

/** Each printer receives its texts in its own way. */
export const driveReceivers: Driver = async (world, life, random) => {
  for (const { deliveries } of world.printers) deliveries.restart();
  await Promise.all(
    world.printers.map((printer, index) => byMode[printer.mode](world, life, random.fork(index), printer)),
  );
};
