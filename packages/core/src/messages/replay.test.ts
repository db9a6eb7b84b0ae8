import { appendMessages, messageIn } from "@telex/conformance";
import { until } from "@telex/conformance/testing";
import { actingFor } from "@telex/ground/contract";
import { createZone } from "@telex/ground/time";
import { createMemoryStorage } from "@telex/storage-memory";
import { createPinyin } from "@telex/search-terms";
import { expect, it } from "vitest";
import { defaultLimits } from "../instance/limits.ts";
import { newGroup, type Room } from "../records/groups.ts";
import type { MessagesLiveEvent } from "./live-events.ts";
import { replay } from "./replay.ts";
import { createMessageView } from "./view.ts";

const roomOf = (groupId: number): Room => ({
  group: {
    groupId,
    ...newGroup({ groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: 0 }),
  },
  members: new Map(),
});

interface SceneOptions {
  readonly replayMessages?: number;
  readonly replayBytes?: number;
  readonly idOverlap?: number;
  /** The rooms that still exist. */
  readonly rooms?: readonly number[];
}

/** A connection of user 7, who is in the rooms 1 and 2. It notes each write. */
function createScene({ rooms = [1, 2], idOverlap = 0, ...limits }: SceneOptions = {}) {
  const { messages: store } = createMemoryStorage();
  const writes: (readonly MessagesLiveEvent[])[] = [];
  const view = createMessageView(createZone("UTC"), createPinyin(10));
  const deps = {
    store,
    listGroupsOf: () => Promise.resolve([1, 2]),
    findRoom: (groupId: number) => Promise.resolve(rooms.includes(groupId) ? roomOf(groupId) : null),
    view,
    show: (...input: Parameters<typeof view>) => Promise.resolve(view(...input)),
    limits: { ...defaultLimits, ...limits },
    idOverlap,
  };
  const connection = {
    holder: actingFor(7),
    write: (events: readonly MessagesLiveEvent[]) => void writes.push(events),
    close: () => undefined,
  };
  const run = (since: number, options: { echo?: boolean; more?: boolean; isStopped?: () => boolean } = {}) =>
    replay(deps, connection, { since, echo: false, more: false, isStopped: () => false, ...options });
  /** Stores messages of another user, unless `userId` is given, and returns their ids. */
  const append = async (...texts: readonly (readonly [groupId: number, content: string, userId?: string])[]) => {
    const own = texts.map(([groupId, content, userId = "8"]) => messageIn(groupId, content, {}, { userId }));
    return (await appendMessages(store, own)).map(({ id }) => id);
  };
  const recall = (groupId: number, messageId: number, operatorId = "8") =>
    store.recall({ groupId, messageId, operatorId, external: false, ownSince: null, content: "[]", pinyin: "[]" });
  const react = (groupId: number, messageId: number, editedAt = 0) =>
    store.amend({
      groupId,
      messageId,
      decide: () => ({
        texts: null,
        extras: JSON.stringify({ editedAt, reactions: [{ emoji: "👍", users: [[8, "Grace"]] }] }),
      }),
    });
  return { run, append, recall, react, writes };
}

/** Each event in short: its kind, and the message or the gap that it names. */
const short = (writes: readonly (readonly MessagesLiveEvent[])[]): readonly unknown[] =>
  writes.flat().map((event) => {
    if (event.kind === "gap") return ["gap", event.data.groupId, event.data.since, event.data.until];
    return "messageId" in event.data ? [event.kind, event.data.messageId] : [event.kind];
  });

it("writes the messages after an id, in their order, and says how far it covers each room", async () => {
  const { run, append, writes } = createScene();
  const [a = 0, b = 0, c = 0] = await append([1, "a"], [2, "b"], [1, "c"]);
  const replayed = await run(a);
  expect(short(writes)).toEqual([
    ["message", b],
    ["message", c],
  ]);
  expect([...replayed]).toEqual([
    [2, b],
    [1, c],
  ]);
});

it("leaves out the user's own messages, which count as covered, unless they are asked for", async () => {
  const { run, append, writes } = createScene();
  const [own = 0] = await append([1, "own", "7"]);
  expect([...(await run(0))]).toEqual([[1, own]]);
  expect(writes).toEqual([]);
  await run(0, { echo: true });
  expect(short(writes)).toEqual([["message", own]]);
});

it("leaves out the messages of rooms that are gone", async () => {
  const { run, append, writes } = createScene({ rooms: [2] });
  const [, b = 0] = await append([1, "a"], [2, "b"]);
  await run(0);
  expect(short(writes)).toEqual([["message", b]]);
});

it("writes one gap for each room with news where too many messages were missed", async () => {
  const { run, append, writes } = createScene({ replayMessages: 1, rooms: [1] });
  const [a = 0, , c = 0] = await append([1, "a"], [2, "b"], [1, "c"]);
  expect([...(await run(0))]).toEqual([[1, c]]);
  expect(short(writes)).toEqual([["gap", 1, 0, c]]);
  await run(a, { echo: true });
  expect(short(writes).at(-1)).toEqual(["gap", 1, a, c]);
});

it("writes a gap where the missed messages are too large, and none for a room without news", async () => {
  const { run, append, writes } = createScene({ replayBytes: 3 });
  const [a = 0, b = 0] = await append([1, "a"], [2, "bbbb"]);
  await run(a);
  expect(short(writes)).toEqual([["gap", 2, a, b]]);
});

it("begins earlier where rooms of several servers may store lower ids later", async () => {
  const { run, append, writes } = createScene({ idOverlap: 1_000_000 });
  const [a = 0] = await append([1, "a"]);
  await run(a);
  expect(short(writes)).toEqual([["message", a]]);
});

it("writes the recalls of messages that the connection knew, before the messages", async () => {
  const { run, append, recall, writes } = createScene();
  const [a = 0, b = 0] = await append([1, "a"], [1, "b"]);
  await recall(1, a);
  await recall(1, b);
  await run(a);
  expect(short(writes)).toEqual([
    ["message_recalled", a],
    ["message", b],
  ]);
});

it("leaves out the recalls that the user made, unless they are asked for", async () => {
  const { run, append, recall, writes } = createScene();
  const [a = 0] = await append([1, "a"]);
  await recall(1, a, "7");
  await run(a);
  expect(writes).toEqual([]);
  await run(a, { echo: true });
  expect(short(writes)).toEqual([["message_recalled", a]]);
});

it("calls a room outdated from its first message on where too many recalls were missed", async () => {
  const { run, append, recall, writes } = createScene({ replayMessages: 1 });
  const [a = 0, b = 0, c = 0] = await append([1, "a"], [1, "b"], [2, "c"]);
  await recall(1, a);
  await recall(1, b);
  await run(c);
  expect(short(writes)).toEqual([["gap", 1, 0, b]]);
});

it("calls every room with a missed recall outdated if only all rooms together missed too many", async () => {
  const { run, append, recall, writes } = createScene({ replayMessages: 1 });
  const [a = 0, b = 0] = await append([1, "a"], [2, "b"]);
  await recall(1, a);
  await recall(2, b);
  await run(b);
  expect(short(writes)).toEqual([
    ["gap", 1, 0, a],
    ["gap", 2, 0, b],
  ]);
});

it("writes a new message with its reactions, and no event for them", async () => {
  const { run, append, react, writes } = createScene();
  const [a = 0, b = 0] = await append([1, "a"], [1, "b"]);
  await react(1, b);
  await run(a, { more: true });
  expect(short(writes)).toEqual([["message", b]]);
});

it("writes edits and reactions of known messages only to connections with more", async () => {
  const { run, append, react, writes } = createScene();
  const [a = 0, b = 0] = await append([1, "a"], [1, "b"]);
  await react(1, a, 5);
  await react(1, b);
  await run(b);
  expect(writes).toEqual([]);
  await run(b, { more: true });
  expect(short(writes)).toEqual([
    ["message_edited", a],
    ["message_reaction", a],
    ["message_reaction", b],
  ]);
});

it("calls a room outdated where too many changes were missed", async () => {
  const { run, append, react, writes } = createScene({ replayMessages: 1 });
  const [a = 0, b = 0, c = 0] = await append([1, "a"], [1, "b"], [2, "c"]);
  await react(1, a);
  await react(1, b);
  await run(c, { more: true });
  expect(short(writes)).toEqual([["gap", 1, 0, b]]);
});

it("writes at most 100 events at a time, and 64 KiB unless one message is larger", async () => {
  const { run, append, writes } = createScene();
  await append(...Array.from({ length: 205 }, (_, index) => [1, `${index}`] as const));
  await run(0);
  expect(writes.map(({ length }) => length)).toEqual([100, 100, 5]);
  const { run: runLarge, append: appendLarge, recall, writes: large } = createScene();
  // Content and pinyin count, so two of these are exactly 64 KiB.
  const half = "x".repeat(16 * 1024);
  const [first = 0] = await appendLarge([1, half.repeat(3)], [1, half], [1, half], [1, half], [1, half], [1, "small"]);
  await runLarge(0);
  expect(large.map(({ length }) => length)).toEqual([1, 2, 2, 1]);
  // A recall has no size.
  large.length = 0;
  await recall(1, first);
  await runLarge(first);
  expect(large.map(({ length }) => length)).toEqual([3, 2, 1]);
});

it("stops when the connection has closed", async () => {
  const { run, append, writes } = createScene();
  await append(...Array.from({ length: 205 }, (_, index) => [1, `${index}`] as const));
  await run(0, { isStopped: () => writes.length > 0 });
  expect(writes).toHaveLength(1);
});

it("lets the server do other work between two writes", async () => {
  const { run, append, writes } = createScene();
  await append(...Array.from({ length: 205 }, (_, index) => [1, `${index}`] as const));
  const counts = new Set<number>();
  const replaying = run(0);
  await until(() => counts.add(writes.length).has(3));
  await replaying;
  expect([...counts]).toEqual([0, 1, 2, 3]);
});
