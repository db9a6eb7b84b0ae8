import { contracts } from "@telex/core/contract";
import type { ChannelEvent } from "@telex/ws/client";
import { at, parse } from "test-support/json";
import { createApi } from "../crash/support/api.ts";
import { codeOf, openSocket, type Socket } from "../crash/support/socket.ts";
import type { Person, Room } from "./ground.ts";
import { count, insist, retryPause, pause, type Run } from "./run.ts";

const shown = contracts.messages.history.output.shape.groupMessages.element;
const reading = contracts.rooms.read.output;

/** Sends one text until it is acknowledged, over as many connections as necessary, always with the same nonce. */
async function say(run: Run, who: Person, { groupId, texts }: Room, word: string): Promise<void> {
  texts.try(word);
  for (;;) {
    const socket = await openSocket({ url: run.url, token: who.token, channel: "rooms" });
    const fields = { groupId, groupType: 1, message: word, nonce: word } as const;
    const code = socket === null ? null : await codeOf(socket.call("sendGroupMessage", fields));
    socket?.close();
    count(run, "say", code === 200);
    if (code === 200) return void run.problems.push(...texts.acknowledge(word));
    await retryPause();
  }
}

/** Speaks in one room after another until the run is over. */
export async function speak(run: Run, who: Person, name: string): Promise<void> {
  for (let number = 1; !run.isOver; number += 1) {
    const room = run.rooms[number % run.rooms.length];
    if (room !== undefined) await say(run, who, room, `${name} ${number}`);
    await pause(run, 40);
  }
}

/** A client that listens to all rooms, and reconnects with `since` when its connection ends. */
export interface Listener {
  readonly name: string;
  /** Its known messages of each room, by id. */
  readonly known: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly close: () => void;
}

const wordOf = (content: string): string => String(at(parse(content), 0, "text", "text"));

/** Receives the messages of one connection. They must arrive in the order of their ids in each room, without repeats. */
function createReceiver(run: Run, name: string, known: Map<number, Map<number, string>>) {
  const last = new Map<number, number>();
  return ({ type, data }: ChannelEvent<"rooms">): void => {
    if (type === "ReadMarker") return;
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
      await (current?.ended ?? retryPause());
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

/** Marks rooms as read, up to the known messages of a listener of the same user. A confirmed marker must never move back. */
export async function read(run: Run, who: Person, { known }: Listener): Promise<void> {
  const api = createApi(run.url, who.token);
  while (!run.isOver) {
    await pause(run, 400);
    for (const { groupId, readBy } of run.rooms) {
      const messageId = Math.max(0, ...(known.get(groupId)?.keys() ?? []));
      const before = readBy.get(who.id) ?? 0;
      if (messageId <= before) continue;
      const path = `/external/api/v1/im/groups/${groupId}/read`;
      const { readUpTo } = await insist(run, "read", () => api.post(path, { messageId }, reading));
      readBy.set(who.id, messageId);
      if (Number(readUpTo) < messageId) run.problems.push(`room ${groupId}: read up to ${readUpTo}, not ${messageId}`);
    }
  }
}

/** True if a client knows every acknowledged message. */
export const isComplete = ({ rooms }: Run, { known }: Listener): boolean =>
  rooms.every(({ groupId, texts }) => (known.get(groupId)?.size ?? 0) >= texts.acknowledged);

/** The final messages of a client must be the sent ones, each once and in the order of their ids. */
export function checkListener({ rooms, problems }: Run, { name, known }: Listener): void {
  for (const { groupId, texts } of rooms) {
    const heard = [...(known.get(groupId) ?? [])].map(([id, word]) => ({ id, word })).toSorted((a, b) => a.id - b.id);
    problems.push(
      ...(texts.newest === 0 ? texts.observe(heard) : texts.compare(heard)).map((one) => `${name}: ${one}`),
    );
  }
}
