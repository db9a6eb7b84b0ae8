import { setTimeout as delay } from "node:timers/promises";
import { teleprinterContract } from "@telex/core/contract";
import { type MqttDevice, type MqttText, openMqtt } from "test-support/mqtt";
import { createApi } from "../crash/support/api.ts";
import { paths } from "../crash/support/paths.ts";
import { codeOf, openSocket, type Socket } from "../crash/support/socket.ts";
import type { Person, Printer } from "./ground.ts";
import { count, insist, retryPause, pause, type Run } from "./run.ts";

const text = teleprinterContract.send.output;
const polled = teleprinterContract.poll.output;

/** Sends texts to a device until the run is over. Repeats a text without a response, with the same nonce. */
export async function feed(run: Run, who: Person, { deviceId, texts }: Printer): Promise<void> {
  const api = createApi(run.url, who.token);
  for (let number = 1; !run.isOver; number += 1) {
    const word = `${deviceId} ${number}`;
    texts.try(word);
    const fields = { deviceId, content: word, nonce: word };
    const { id } = await insist(run, "send", () => api.post(paths.send, fields, text));
    run.problems.push(...texts.acknowledge(word, id));
    await pause(run, 40);
  }
}

function take(run: Run, { deviceId, texts, received, settled }: Printer, id: number, content: string): void {
  if (settled.has(id)) run.problems.push(`${deviceId}: ${id} came again, although it was acknowledged`);
  const newest = Math.max(0, ...received.keys());
  if (run.isOneVersion && !received.has(id) && id < newest) {
    run.problems.push(`${deviceId}: ${id} "${content}" came late, after ${newest} "${received.get(newest)}"`);
  }
  received.set(id, content);
  run.problems.push(...texts.tell({ id, word: content }));
}

/** Texts that devices have not received, with the reason. */
export const missingTexts = ({ printers }: Run): string[] =>
  printers
    .filter(({ texts, received }) => received.size < texts.acknowledged)
    .map(
      ({ deviceId, texts, received, waitsFor }) =>
        `${deviceId} has ${received.size} of ${texts.acknowledged} texts, and waits for ${waitsFor}`,
    );

/** A device that polls and acknowledges with its next poll, until `isDone`. */
export async function poll(run: Run, who: Person, printer: Printer, isDone: () => boolean): Promise<void> {
  const api = createApi(run.url, who.token);
  let ack = 0;
  while (!isDone()) {
    printer.waitsFor = "the answer to a poll";
    const outcome = await api.get(paths.poll, { deviceId: printer.deviceId, limit: 20, ack, wait: 5 }, polled);
    count(run, "poll", outcome.kind === "done");
    if (outcome.kind !== "done") {
      await retryPause();
      continue;
    }
    for (const id of printer.received.keys()) if (id <= ack) printer.settled.add(id);
    for (const { id, content } of outcome.value) {
      if (id <= ack) run.problems.push(`${printer.deviceId}: ${id} came after ${ack}`);
      take(run, printer, id, content);
      ack = id;
    }
  }
}

/** A device with a connection that acknowledges each text, until `isDone`. */
export async function connect(run: Run, who: Person, printer: Printer, isDone: () => boolean): Promise<void> {
  const { deviceId } = printer;
  while (!isDone()) {
    const queue: number[] = [];
    printer.waitsFor = "a connection";
    const socket = await openSocket({
      url: run.url,
      token: who.token,
      channel: "teleprinter",
      query: { deviceId, ack: "1" },
      onEvent({ type, data }) {
        if (type !== "TeleprinterMessage") return void run.problems.push(`${deviceId}: ${type}`);
        const { id, content } = text.parse(data);
        take(run, printer, id, content);
        queue.push(id);
      },
    });
    count(run, "connect", socket !== null);
    await (socket === null ? retryPause() : acknowledgeAll(socket, queue, printer, isDone));
  }
}

/** A device over MQTT that acknowledges each text, until `isDone`. */
export async function connectMqtt(run: Run, who: Person, printer: Printer, isDone: () => boolean): Promise<void> {
  const { deviceId } = printer;
  while (!isDone()) {
    const queue: MqttText[] = [];
    printer.waitsFor = "a connection over MQTT";
    const device = await openMqtt({
      url: run.url,
      deviceId,
      token: who.token,
      onText(one) {
        take(run, printer, one.id, one.content);
        queue.push(one);
      },
    });
    count(run, "connect over MQTT", device !== null);
    await (device === null ? retryPause() : acknowledgeOverMqtt(device, queue, printer, isDone));
  }
}

/** Acknowledges texts until the connection ends. The answer to a ping says that they are stored. */
async function acknowledgeOverMqtt(
  device: MqttDevice,
  queue: MqttText[],
  printer: Printer,
  isDone: () => boolean,
): Promise<void> {
  for (let isOpen = true; isOpen && !isDone();) {
    const some = queue.splice(0);
    printer.waitsFor = some.length === 0 ? "a text over MQTT" : "the answer to a ping over MQTT";
    for (const { packetId } of some) device.acknowledge(packetId);
    isOpen = await device.ping();
    if (isOpen) for (const { id } of some) printer.settled.add(id);
    await delay(5);
  }
  device.close(true);
  await device.ended;
}

/** The number of texts after which a device changes its transport. */
const turn = 30;

/** A device that changes between polls, sockets and MQTT, until `isDone`. */
export async function mix(run: Run, who: Person, printer: Printer, isDone: () => boolean): Promise<void> {
  for (let way = 0; !isDone(); way += 1) {
    const end = printer.received.size + turn;
    const isOver = (): boolean => isDone() || printer.received.size >= end;
    await ([poll, connectMqtt, connect][way % 3] ?? poll)(run, who, printer, isOver);
  }
}

/** Acknowledges texts until the connection ends. */
async function acknowledgeAll(
  socket: Socket<"teleprinter">,
  queue: number[],
  printer: Printer,
  isDone: () => boolean,
): Promise<void> {
  const state = { hasEnded: false };
  void socket.ended.then(() => (state.hasEnded = true));
  while (!state.hasEnded && !isDone()) {
    const id = queue.shift();
    printer.waitsFor = id === undefined ? "a text on its connection" : `the answer to the acknowledgement of ${id}`;
    if (id !== undefined && (await codeOf(socket.call("ack", { id }))) === 200) printer.settled.add(id);
    else await delay(5);
  }
  socket.close();
}
