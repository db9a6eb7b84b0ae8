import { setTimeout as delay } from "node:timers/promises";
import type { ChannelEvent } from "@telex/ws/client";
import { messagesContract, teleprinterContract } from "@telex/core/contract";
import type { Random } from "test-support/random";
import { at, parse } from "test-support/json";
import { createApi, type Outcome } from "../support/api.ts";
import { paths } from "../support/paths.ts";
import { codeOf, openSocket, type Socket } from "../support/socket.ts";
import type { Ground, Person, Printer, Room } from "./ground.ts";

/** What the clients have done and seen. */
export interface Run extends Ground {
  /** The address of the load balancer. */
  readonly url: string;
  readonly random: Random;
  /** True while the clients begin nothing new. */
  isOver: boolean;
  readonly counts: Map<string, { done: number; failed: number }>;
  /** What is wrong. A right run leaves it empty. */
  readonly problems: string[];
}

const shown = messagesContract.history.output.shape.groupMessages.element;
const text = teleprinterContract.send.output;
const polled = teleprinterContract.poll.output;

function count({ counts }: Run, kind: string, isDone: boolean): void {
  const counted = counts.get(kind) ?? { done: 0, failed: 0 };
  counts.set(kind, counted);
  counted[isDone ? "done" : "failed"] += 1;
}

/** A client waits before it tries again, so that a cluster that is down is not asked all the time. */
const patience = (): Promise<void> => delay(50);

/** Says one text until it is acknowledged, over as many connections as that takes, always with one nonce. */
async function say(run: Run, who: Person, { groupId, texts }: Room, word: string): Promise<void> {
  texts.try(word);
  for (;;) {
    const socket = await openSocket({ url: run.url, token: who.token, channel: "rooms" });
    const fields = { groupId, groupType: 1, message: word, nonce: word } as const;
    const code = socket === null ? null : await codeOf(socket.call("sendGroupMessage", fields));
    socket?.close();
    count(run, "say", code === 200);
    if (code === 200) return void run.problems.push(...texts.acknowledge(word));
    await patience();
  }
}

/** Speaks in one room after another until the run is over. */
export async function speak(run: Run, who: Person, name: string): Promise<void> {
  for (let number = 1; !run.isOver; number += 1) {
    const room = run.rooms[number % run.rooms.length];
    if (room !== undefined) await say(run, who, room, `${name} ${number}`);
    await delay(run.random.next() * 40);
  }
}

/** A client that listens to all rooms, and comes again with `since` when its connection ends. */
export interface Listener {
  readonly name: string;
  /** What it knows of each room, by id. */
  readonly known: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly close: () => void;
}

const wordOf = (content: string): string => String(at(parse(content), 0, "text", "text"));

/** Takes what one connection is told: in the order of the ids of each room, without a repeat on this connection. */
function createReceiver(run: Run, name: string, known: Map<number, Map<number, string>>) {
  const last = new Map<number, number>();
  return ({ type, data }: ChannelEvent<"rooms">): void => {
    if (type !== "GroupMessage") return void run.problems.push(`${name}: ${type}`);
    const { groupId, messageId, content } = shown.parse(data);
    const before = last.get(groupId) ?? 0;
    if (messageId <= before) run.problems.push(`${name}: room ${groupId}: ${messageId} came after ${before}`);
    last.set(groupId, messageId);
    known.get(groupId)?.set(messageId, wordOf(content));
    const room = run.rooms.find((one) => one.groupId === groupId);
    run.problems.push(...(room?.texts.tell({ id: messageId, word: wordOf(content) }) ?? [`${name}: an unknown room`]));
  };
}

/** @param since the id after which it begins */
export function listen(run: Run, who: Person, name: string, since: number): Listener {
  const known = new Map(run.rooms.map(({ groupId }) => [groupId, new Map<number, string>()]));
  const newest = (): number => Math.max(since, ...[...known.values()].flatMap((room) => [...room.keys()]));
  const state = { isClosed: false };
  let current: Socket<"rooms"> | null = null;
  const keep = async (): Promise<void> => {
    while (!state.isClosed) {
      const query = { echo: "1", since: String(newest()) } as const;
      const onEvent = createReceiver(run, name, known);
      current = await openSocket({ url: run.url, token: who.token, channel: "rooms", query, onEvent });
      count(run, "listen", current !== null);
      if (state.isClosed) current?.close();
      await (current?.ended ?? patience());
    }
  };
  void keep();
  return {
    name,
    known,
    close() {
      state.isClosed = true;
      current?.close();
    },
  };
}

/** Sends texts to a device until the run is over. A text that was not answered is sent again, with its nonce. */
export async function feed(run: Run, who: Person, { deviceId, texts }: Printer): Promise<void> {
  const api = createApi(run.url, who.token);
  for (let number = 1; !run.isOver; number += 1) {
    const word = `${deviceId} ${number}`;
    texts.try(word);
    let outcome: Outcome<{ readonly id: number }> = { kind: "unknown" };
    while (outcome.kind !== "done") {
      outcome = await api.post(paths.send, { deviceId, content: word, nonce: word }, text);
      count(run, "send", outcome.kind === "done");
      if (outcome.kind !== "done") await patience();
    }
    run.problems.push(...texts.acknowledge(word, outcome.value.id));
    await delay(run.random.next() * 40);
  }
}

function take(run: Run, { deviceId, texts, received, settled }: Printer, id: number, content: string): void {
  if (settled.has(id)) run.problems.push(`${deviceId}: ${id} came again, although it was acknowledged`);
  received.set(id, content);
  run.problems.push(...texts.tell({ id, word: content }));
}

/** A device that polls, waits, and acknowledges with its next poll, until `isDone`. */
export async function poll(run: Run, who: Person, printer: Printer, isDone: () => boolean): Promise<void> {
  const api = createApi(run.url, who.token);
  let ack = 0;
  while (!isDone()) {
    const outcome = await api.get(paths.poll, { deviceId: printer.deviceId, limit: 20, ack, wait: 5 }, polled);
    count(run, "poll", outcome.kind === "done");
    if (outcome.kind !== "done") {
      await patience();
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
    await (socket === null ? patience() : acknowledgeAll(socket, queue, printer, isDone));
  }
}

/** Acknowledges what comes until the connection ends. */
async function acknowledgeAll(
  socket: Socket<"teleprinter">,
  queue: number[],
  { settled }: Printer,
  isDone: () => boolean,
): Promise<void> {
  const state = { hasEnded: false };
  void socket.ended.then(() => (state.hasEnded = true));
  while (!state.hasEnded && !isDone()) {
    const id = queue.shift();
    if (id !== undefined && (await codeOf(socket.call("ack", { id }))) === 200) settled.add(id);
    else await delay(5);
  }
  socket.close();
}
