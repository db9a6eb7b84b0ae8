import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { withLosses } from "@telex/conformance";
import {
  type Bus,
  type Caller,
  createLocalBus,
  createTelex,
  type MessageChange,
  operator,
  type Telex,
  TelexError,
  type TelexOptions,
} from "../src/index.ts";
import type { BusEvent } from "../src/instance/bus-events.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { extrasOf } from "../src/storage.ts";
import { createConnection, createKit, type Kit } from "./kit.ts";
import { createManualClock, ticks, type ManualClock } from "@telex/conformance/testing";

interface Servers extends Kit {
  /** Another server of the same installation. */
  readonly other: Telex;
  readonly bobThere: Caller;
}

const engine = createSharpEngine();

/** Two servers on one store. */
async function createServers(
  bus: Bus,
  otherBus = bus,
  clock: ManualClock = createManualClock(),
  limits: TelexOptions["limits"] = {},
): Promise<Servers> {
  // The other server goes on with it after one has closed.
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const own = { ...storage, teleprinter: { ...storage.teleprinter } };
  const kit = await createKit({ clock, storage: own, bus });
  const other = await createTelex({
    storage,
    blobs: createMemoryBlobs({ clock }),
    images: engine,
    clock,
    checkOutput: true,
    bus: otherBus,
    limits,
  });
  const { token } = await other.operator.tokens.issue(operator, { userId: 2, scopes: ["chat"] });
  return { ...kit, other, bobThere: await other.authenticate(token) };
}

const say = (telex: Telex, caller: Caller, groupId: number, message: string) =>
  telex.messages.send(caller, { groupId, groupType: 1, message });

/** The ids of the messages that a connection got. */
const idsOf = ({ events }: ReturnType<typeof createConnection>): number[] =>
  events.flatMap((event) => (event.kind === "message" ? [event.data.messageId] : []));

/** The connection of a device that takes everything. */
function createDevice(caller: Caller) {
  const { connection, events } = createConnection(caller);
  const push = (batch: typeof events): Promise<boolean> => {
    events.push(...batch);
    return Promise.resolve(true);
  };
  return { events, connection: { ...connection, push, ping: () => Promise.resolve(true) } };
}

/** A bus whose events stop when asked to, and may come late. */
function createGate(bus: Bus) {
  const gate = { isOpen: true, lost: [] as BusEvent[], bringLate() {} };
  const gated: Bus = {
    join(receive) {
      gate.bringLate = () => {
        for (const event of gate.lost) receive(event);
      };
      return bus.join((event) => {
        if (gate.isOpen) receive(event);
        else gate.lost.push(event);
      });
    },
  };
  return { gate, bus: gated };
}

describe("two servers of one installation", () => {
  it("tell each other's connections what is sent to a room", async () => {
    const { telex, other, alice, bobThere, room } = await createServers(createLocalBus());
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    const { messageId } = await say(telex, alice, room, "hello");
    await ticks();
    expect(idsOf(bob)).toEqual([messageId]);
  });

  it("tell a room's messages in the order of their ids, without hole or repeat, over a bus with losses", async () => {
    const bus = createLocalBus();
    const clock = createManualClock();
    const { telex, other, alice, bobThere, bob, room } = await createServers(
      withLosses(bus, 7),
      withLosses(bus, 8),
      clock,
    );
    const [here, there] = [createConnection(bob), createConnection(bobThere)];
    await telex.listen(here.connection, { echo: true, since: null }).ready;
    await other.listen(there.connection, { echo: true, since: null }).ready;
    const ids: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const sent = await Promise.all([
        say(telex, alice, room, `here ${round}`),
        say(other, bobThere, room, `there ${round}`),
        say(telex, alice, room, `here again ${round}`),
      ]);
      ids.push(...sent.map(({ messageId }) => messageId));
      await clock.advance(200);
    }
    for (let check = 0; check < 3; check += 1) await clock.advance(5000);
    expect(idsOf(here)).toEqual(ids.toSorted((a, b) => a - b));
    expect(idsOf(there)).toEqual(idsOf(here));
  });

  it("give each message its terms once, whichever server has stored it", async () => {
    const { telex, other, alice, bobThere, room, storage } = await createServers(createLocalBus());
    const { messages } = storage;
    const index = messages.index.bind(messages);
    const indexed: number[] = [];
    messages.index = async (terms) => {
      indexed.push(...terms.map(({ id }) => id));
      // At the same time, the other server looks for messages.
      await ticks();
      await index(terms);
    };
    const sent: number[] = [];
    for (let round = 0; round < 150; round += 1) {
      const pair = await Promise.all([say(telex, alice, room, "here"), say(other, bobThere, room, "there")]);
      sent.push(...pair.map(({ messageId }) => messageId));
    }
    while ((await messages.listUnindexed()).length >= 128) await ticks();
    expect(indexed.length).toBeGreaterThan(128);
    expect(indexed.toSorted((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b).slice(0, indexed.length));
  });

  it("find a message that the bus has lost, although no other follows", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock } = await createServers(bus);
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    gate.isOpen = false;
    const { messageId } = await say(telex, alice, room, "lost");
    await ticks();
    expect(idsOf(bob)).toEqual([]);
    expect(gate.lost.map(({ kind }) => kind)).toContain("message");
    for (let check = 0; check < 3; check += 1) await clock.advance(5000);
    expect(idsOf(bob)).toEqual([messageId]);
  });

  it("find what the bus has lost in a room while another one is still being read", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock, storage } = await createServers(bus);
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Another", members: [1, 2] });
    const { messages } = storage;
    const listSince = messages.listSince.bind(messages);
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    const read: (number | undefined)[] = [];
    messages.listSince = async (asked) => {
      if (read.push(asked.groupIds[0]) === 1) await slow;
      return listSince(asked);
    };
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    gate.isOpen = false;
    const lost = [await say(telex, alice, room, "lost"), await say(telex, alice, groupId, "lost too")];
    const [inFirst, inOther] = lost.map(({ messageId }) => messageId);
    while (read.length === 0) await clock.advance(2500);
    expect(idsOf(bob)).toEqual([read[0] === room ? inOther : inFirst]);
    resolve();
    await ticks();
    expect(new Set(idsOf(bob))).toEqual(new Set([inFirst, inOther]));
  });

  it("keep only as much of a room as a replay contains while an earlier message is missing, and read the rest", async () => {
    const all = createLocalBus();
    const { gate, bus } = createGate(all);
    const clock = createManualClock();
    const { telex, other, alice, bobThere, room } = await createServers(all, bus, clock, { replayBytes: 1000 });
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    const sayAll = async (...contents: string[]): Promise<number[]> => {
      const ids: number[] = [];
      for (const content of contents) ids.push((await say(telex, alice, room, content)).messageId);
      await ticks();
      return ids;
    };
    const first = await sayAll("first");
    gate.isOpen = false;
    const late = await sayAll("late");
    gate.isOpen = true;
    const [kept = 0, ...rest] = await sayAll("a".repeat(1000), "another", "third");
    expect(idsOf(bob)).toEqual(first);
    gate.bringLate();
    await ticks();
    expect(idsOf(bob)).toEqual([...first, ...late, kept]);
    await clock.advance(200);
    await ticks();
    expect(idsOf(bob)).toEqual([...first, ...late, kept, ...rest]);
  });

  it("tell no message of another room before one that the bus lost while the storage was away", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock, storage } = await createServers(bus);
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Another", members: [1, 2] });
    const { messages } = storage;
    const findNewest = messages.findNewest.bind(messages);
    const state = { isAway: false };
    messages.findNewest = (...asked) =>
      state.isAway ? Promise.reject(new TelexError("storage_unavailable")) : findNewest(...asked);
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    await clock.advance(2500);
    gate.isOpen = false;
    const lost = await say(telex, alice, room, "lost");
    [gate.isOpen, state.isAway] = [true, true];
    for (let second = 0; second < 12; second += 1) await clock.advance(1000);
    const later = await say(telex, alice, groupId, "later");
    await ticks();
    expect(idsOf(bob)).toEqual([]);
    state.isAway = false;
    await clock.advance(2750);
    await ticks();
    expect(new Set(idsOf(bob))).toEqual(new Set([lost.messageId, later.messageId]));
  });

  it("tell a connection nothing that was stored before it was ready, if it asks for that", async () => {
    const { telex, other, alice, bobThere, room, clock } = await createServers(createLocalBus());
    const bob = createConnection(bobThere);
    await say(other, bobThere, room, "the last that the other server knows");
    await say(telex, alice, room, "done by the connection before");
    await other.listen(bob.connection, { echo: true, since: "ready" }).ready;
    const after = [await say(telex, alice, room, "one"), await say(other, bobThere, room, "two")];
    await clock.advance(1000);
    expect(idsOf(bob)).toEqual(after.map(({ messageId }) => messageId));
  });

  it("tell each other's connections of recalls and markers within a second, once", async () => {
    const { telex, other, alice, bob, bobThere, room, clock } = await createServers(createLocalBus());
    const [here, there] = [createConnection(bob), createConnection(bobThere)];
    telex.attach(here.connection);
    other.attach(there.connection);
    await telex.listen(here.connection, { echo: true, since: null }).ready;
    await other.listen(there.connection, { echo: true, since: null }).ready;
    const { messageId } = await say(telex, alice, room, "secret");
    await telex.rooms.read(bob, { groupId: room, messageId });
    await telex.messages.recall(alice, { groupId: room, messageId });
    for (let look = 0; look < 4; look += 1) await clock.advance(250);
    for (const { events } of [here, there]) {
      expect(events.map(({ kind }) => kind).toSorted()).toEqual(["message", "message_recalled", "read_marker"]);
    }
  });

  it("tell each other's connections with `more` of what an operator changes in a room, once", async () => {
    const { telex, other, alice, bobThere, room, clock } = await createServers(createLocalBus());
    const [here, there, plain] = [createConnection(alice), createConnection(bobThere), createConnection(bobThere)];
    await telex.listen(here.connection, { echo: false, more: true, since: null }).ready;
    await other.listen(there.connection, { echo: false, more: true, since: null }).ready;
    await other.listen(plain.connection, { echo: false, since: null }).ready;
    const look = async () => await clock.advance(250);
    const members = async (change: object) =>
      await telex.operator.groups.amendMembers(operator, { groupId: room, ...change });
    await telex.operator.groups.amend(operator, { groupId: room, name: "Ours" });
    await look();
    await members({ remove: [2] });
    await look();
    await other.operator.groups.amend(operator, { groupId: room, name: "Theirs" });
    await look();
    await members({ add: [2], roles: [{ userId: 1, role: "owner" }] });
    for (let looks = 0; looks < 4; looks += 1) await look();
    const told = ({ events }: typeof here) =>
      events.map((one) => (one.kind === "group_changed" ? one.data.change : one.kind));
    expect([here, there, plain].map(told)).toEqual([
      ["name", "members", "name", "members", "roles"],
      ["name", "removed", "added"],
      [],
    ]);
    expect(there.events[0]).toMatchObject({ data: { groupId: room, groupName: "Ours", role: "member", unread: 0 } });
    expect(there.events[2]).toMatchObject({ data: { groupName: "Theirs", memberCount: 2 } });
    const event = { kind: "group_changed", data: { groupId: room, groupType: 1, change: "removed" } } as const;
    telex.tellRoom(room, event, 1);
    await ticks();
    expect([here, there, plain].map(told)).toMatchObject([{ length: 5 }, { length: 4 }, { length: 0 }]);
  });

  it("tell that a user types at most once in 3 seconds, on however many servers the user types", async () => {
    const { telex, other, alice, room, bobThere, clock } = await createServers(createLocalBus());
    const { token } = await other.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"] });
    const [bob, aliceThere] = [createConnection(bobThere), await other.authenticate(token)];
    await other.listen(bob.connection, { echo: false, more: true, since: null }).ready;
    if (aliceThere.kind !== "token" || alice.kind !== "token") throw new TypeError("Both have tokens.");
    for (let second = 0; second < 12; second += 1) {
      await telex.typing(alice, { groupId: room });
      await other.typing(aliceThere, { groupId: room });
      await ticks();
      await clock.advance(1000);
    }
    expect(bob.events.filter(({ kind }) => kind === "typing")).toHaveLength(4);
  });

  it("let a member see nothing any more from the acknowledgement of the removal on", async () => {
    const { telex, other, alice, bobThere, room, clock } = await createServers(createLocalBus());
    for (let looks = 0; looks < 2; looks += 1) await clock.advance(250);
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    const history = async () => await other.messages.history(bobThere, { groupId: room, groupType: 1 });
    await say(telex, alice, room, "before");
    expect((await history()).groupMessages).toHaveLength(1);
    await telex.operator.groups.amendMembers(operator, { groupId: room, remove: [2] });
    await say(telex, alice, room, "after");
    await ticks();
    expect(idsOf(bob)).toHaveLength(1);
    await expect(history()).rejects.toMatchObject({ code: "group_not_found" });
  });

  it("let a member find nothing, list no file and print nothing from the acknowledgement of the removal on", async () => {
    const { telex, other, alice, bobThere, room, clock } = await createServers(createLocalBus());
    const printer = { deviceId: "printer", name: "Printer", room: { groupId: room, mentions: false } };
    await other.teleprinter.register(bobThere, printer);
    const { messageId } = await say(telex, alice, room, "before");
    for (let looks = 0; looks < 20; looks += 1) await clock.advance(250);
    const find = async () => (await other.messages.search(bobThere, { q: "before", pageSize: 20 })).list.length;
    const files = async () => await other.messages.files(bobThere, { groupId: room, messageId });
    const printed = async () =>
      (await other.teleprinter.messages(bobThere, { deviceId: "printer", pageSize: 10 })).messages.length;
    expect([await find(), await files(), await printed()]).toEqual([1, [], 1]);
    await telex.operator.groups.amendMembers(operator, { groupId: room, remove: [2] });
    await say(telex, alice, room, "after");
    await expect(files()).rejects.toMatchObject({ code: "group_not_found" });
    expect([await find(), await printed()]).toEqual([0, 1]);
    await clock.advance(5000);
    expect(await printed()).toBe(1);
  });

  it("close the connections of a user at the acknowledgement of the suspension", async () => {
    const { telex, other, bobThere, clock } = await createServers(createLocalBus());
    for (let looks = 0; looks < 2; looks += 1) await clock.advance(250);
    const bob = createConnection(bobThere);
    other.attach(bob.connection);
    await telex.operator.users.amend(operator, { id: 2, state: "suspended" });
    expect(bob.closed).toEqual(["token_ended"]);
  });

  it("wait a second for a server that does not answer, and no more", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, room, clock } = await createServers(bus);
    for (let looks = 0; looks < 2; looks += 1) await clock.advance(250);
    gate.isOpen = false;
    const done: string[] = [];
    const remove = async (): Promise<void> => {
      await telex.operator.groups.amendMembers(operator, { groupId: room, remove: [2] });
      done.push("removed");
    };
    const removed = remove();
    await ticks();
    expect(done).toEqual([]);
    await clock.advance(1000);
    await removed;
  });

  it("do not wait again for a server that has not answered, until they hear of it", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, room, clock } = await createServers(bus);
    for (let looks = 0; looks < 2; looks += 1) await clock.advance(250);
    const done: number[] = [];
    const change = (name: number): Promise<unknown> => {
      const changed = telex.operator.groups.amend(operator, { groupId: room, name: String(name) });
      return changed.then(() => done.push(name));
    };
    gate.isOpen = false;
    const first = change(1);
    await ticks();
    expect(done).toEqual([]);
    await clock.advance(1000);
    await first;
    // Its time as a server that lives is not over.
    await change(2);
    gate.isOpen = true;
    for (let looks = 0; looks < 10; looks += 1) await clock.advance(250);
    gate.isOpen = false;
    const third = change(3);
    await ticks();
    expect(done).toEqual([1, 2]);
    gate.isOpen = true;
    // A question that the bus loses is asked again.
    await clock.advance(250);
    await third;
  });

  it("tell each other's connections with `more` of edits and reactions within a second, and show late messages as they are", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock } = await createServers(bus);
    const [more, plain] = [createConnection(bobThere), createConnection(bobThere)];
    await other.listen(more.connection, { echo: false, more: true, since: null }).ready;
    await other.listen(plain.connection, { echo: false, since: null }).ready;
    gate.isOpen = false;
    const { messageId } = await say(telex, alice, room, "first");
    const change = (extras: MessageChange["extras"], isEdit: boolean) =>
      telex.amendMessage({
        userId: 1,
        groupId: room,
        messageId,
        message: "second",
        decide: (_message, [part]) => ({ segments: isEdit && part?.stored ? [part.stored] : null, extras }),
      });
    const reactions = [{ emoji: "👍", users: [[1, "Alice"]] as [number, string][], people: [] }];
    await change({ editedAt: 7, reactions: [] }, true);
    await change({ editedAt: 7, reactions }, false);
    for (let look = 0; look < 4; look += 1) await clock.advance(250);
    for (let check = 0; check < 3; check += 1) await clock.advance(5000);
    expect(more.events.map(({ kind }) => kind)).toEqual(["message_edited", "message_reaction", "message"]);
    expect(more.events[1]).toMatchObject({ data: { messageId, reactions: [{ emoji: "👍", count: 1 }] } });
    expect(plain.events.map(({ kind }) => kind)).toEqual(["message"]);
    expect(JSON.stringify([more.events, plain.events])).not.toContain("first");
  });

  it.each([
    ["an edit", true],
    ["a reaction", false],
  ])(
    "tell their connections of %s elsewhere also if a change here follows before they hear of it",
    async (_, isEdit) => {
      const { gate, bus } = createGate(createLocalBus());
      const { telex, other, alice, room, clock } = await createServers(bus);
      const { connection, events } = createConnection(alice);
      await telex.listen(connection, { echo: true, more: true, since: null }).ready;
      const { messageId } = await say(telex, alice, room, "first");
      gate.isOpen = false;
      const reactions = [{ emoji: "👍", users: [[1, "Alice"]] as [number, string][], people: [] }];
      const change = (server: Telex, isEdited: boolean) =>
        server.amendMessage({
          userId: 1,
          groupId: room,
          messageId,
          message: "second",
          decide: (message, [part]) =>
            isEdited
              ? { segments: part?.stored ? [part.stored] : null, extras: { ...extrasOf(message), editedAt: 7 } }
              : { segments: null, extras: { ...extrasOf(message), reactions } },
        });
      await change(other, isEdit);
      await change(telex, !isEdit);
      for (let check = 0; check < 3; check += 1) await clock.advance(5000);
      const content: unknown = expect.stringContaining("second");
      expect(events).toMatchObject([
        { kind: "message" },
        { kind: "message_edited", data: { messageId, content } },
        { kind: "message_reaction", data: { messageId, reactions: [{ emoji: "👍", count: 1 }] } },
      ]);
    },
  );

  it("show a message that comes after its recall without its content", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock } = await createServers(bus);
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    gate.isOpen = false;
    const { messageId } = await say(telex, alice, room, "secret");
    await telex.messages.recall(alice, { groupId: room, messageId });
    for (let look = 0; look < 4; look += 1) await clock.advance(250);
    for (let check = 0; check < 3; check += 1) await clock.advance(5000);
    expect(bob.events.map(({ kind }) => kind)).toEqual(["message_recalled", "message"]);
    expect(JSON.stringify(bob.events)).not.toContain("secret");
  });

  it("know who is connected to the other one", async () => {
    const { telex, other, alice, bobThere, room } = await createServers(createLocalBus());
    const isOnline = async () =>
      (await telex.rooms.members(alice, { groupId: room })).list.find(({ userId }) => userId === "2")?.online;
    expect(await isOnline()).toBe(false);
    const bob = createConnection(bobThere);
    const listening = other.listen(bob.connection, { echo: false, since: null });
    await ticks();
    expect(await isOnline()).toBe(true);
    listening.stop();
    await ticks();
    expect(await isOnline()).toBe(false);
  });

  it("do not repeat to a connection what its replay has shown", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock } = await createServers(bus);
    const first = createConnection(bobThere);
    await other.listen(first.connection, { echo: false, since: null }).ready;
    const { messageId: since } = await say(telex, alice, room, "first");
    await ticks();
    gate.isOpen = false;
    const { messageId } = await say(telex, alice, room, "lost");
    await ticks();
    const second = createConnection(bobThere);
    await other.listen(second.connection, { echo: false, since }).ready;
    for (let check = 0; check < 3; check += 1) await clock.advance(5000);
    expect(idsOf(first)).toEqual([since, messageId]);
    expect(idsOf(second)).toEqual([messageId]);
  });

  it("replay what another room may have got with a lower id", async () => {
    const storage = { ...createMemoryStorage(), idOverlap: 2 };
    const { telex, alice, bob, room } = await createKit({ storage, bus: createLocalBus() });
    const ids: number[] = [];
    for (const word of ["one", "two", "three", "four"]) ids.push((await say(telex, alice, room, word)).messageId);
    const { connection, events } = createConnection(bob);
    await telex.listen(connection, { echo: false, since: ids[3] ?? 0 }).ready;
    expect(events.map(({ data }) => ("messageId" in data ? data.messageId : null))).toEqual(ids.slice(2));
  });

  it("announce a gap also for a room that may have got a lower id, if too much was missed", async () => {
    const storage = { ...createMemoryStorage(), idOverlap: 2 };
    const limits = { replayMessages: 1 };
    const { telex, alice, bob, room } = await createKit({ storage, bus: createLocalBus(), limits });
    const ids: number[] = [];
    for (const word of ["one", "two", "three", "four"]) ids.push((await say(telex, alice, room, word)).messageId);
    const { connection, events } = createConnection(bob);
    const [, second = 0, , fourth = 0] = ids;
    await telex.listen(connection, { echo: false, since: fourth }).ready;
    expect(events).toMatchObject([{ kind: "gap", data: { groupId: room, since: second, until: fourth } }]);
  });

  it("close the connections to a room that missed too much, so that they come again with `since`", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bobThere, room, clock } = await createServers(bus);
    const bob = createConnection(bobThere);
    other.attach(bob.connection);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    gate.isOpen = false;
    await Promise.all(Array.from({ length: 1001 }, (_, index) => say(telex, alice, room, `${index}`)));
    for (let check = 0; check < 3; check += 1) await clock.advance(5000);
    expect(idsOf(bob)).toEqual([]);
    expect(bob.closed).toEqual(["too_slow"]);
  });

  it("wake a poll that waits on one for a text that is sent on the other", async () => {
    const { telex, other, bob, bobThere } = await createServers(createLocalBus());
    await telex.teleprinter.register(bob, { deviceId: "printer-1", name: "Printer" });
    const polled = other.teleprinter.poll(bobThere, { deviceId: "printer-1", limit: 10, wait: 60 });
    await ticks();
    await telex.teleprinter.send(bob, { deviceId: "printer-1", content: "print this" });
    expect(await polled).toMatchObject([{ content: "print this" }]);
  });

  it("tell a poll what the bus did not wake it for", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, bob, bobThere, clock } = await createServers(createLocalBus(), bus);
    await telex.teleprinter.register(bob, { deviceId: "printer-1", name: "Printer" });
    gate.isOpen = false;
    const polled = other.teleprinter.poll(bobThere, { deviceId: "printer-1", limit: 10, wait: 60 });
    await ticks();
    await telex.teleprinter.send(bob, { deviceId: "printer-1", content: "print this" });
    for (let second = 0; second < 10; second += 1) await clock.advance(1000);
    expect(await Promise.race([polled, ticks().then(() => "waits")])).toMatchObject([{ content: "print this" }]);
  });

  it("are told only of rooms, users and devices that somebody here listens to", async () => {
    const { gate, bus } = createGate(createLocalBus());
    const { telex, other, alice, bob, bobThere, room, clock } = await createServers(bus);
    const act = async () => {
      gate.lost.length = 0;
      await say(telex, alice, room, "hello");
      await telex.teleprinter.register(bob, { deviceId: "printer-1", name: "Printer" });
      await telex.teleprinter.send(bob, { deviceId: "printer-1", content: "print this" });
      await ticks();
      return new Set(gate.lost.map(({ kind }) => kind).filter((kind) => !kind.startsWith("room_presence")));
    };
    gate.isOpen = false;
    expect(await act()).toEqual(new Set());
    const [rooms, pages] = [createConnection(bobThere), createConnection(bobThere)];
    const listening = other.listen(rooms.connection, { echo: false, since: null });
    await listening.ready;
    expect(await act()).toEqual(new Set(["message"]));
    const endPages = other.watchDevices(pages.connection);
    expect(await act()).toEqual(new Set(["message", "device_presence", "device_text"]));
    await other.teleprinter.poll(bobThere, { deviceId: "printer-1", limit: 10, wait: 60 });
    expect(await act()).toEqual(new Set(["message", "device_presence", "device_text", "device_wake"]));
    listening.stop();
    endPages();
    // Topics are kept for a minute, for those who come again.
    for (let second = 0; second <= 61; second += 1) await clock.advance(1000);
    expect(await act()).toEqual(new Set());
  });

  it("notice a room that a user who listens has joined since", async () => {
    const { telex, other, alice, bobThere, clock } = await createServers(createLocalBus());
    const bob = createConnection(bobThere);
    await other.listen(bob.connection, { echo: false, since: null }).ready;
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "New", members: [1, 2] });
    for (let look = 0; look < 4; look += 1) await clock.advance(250);
    const { messageId } = await say(telex, alice, groupId, "welcome");
    await ticks();
    expect(idsOf(bob)).toEqual([messageId]);
  });

  it("push a text to the device that is connected to the other one", async () => {
    const { telex, other, bob, bobThere } = await createServers(createLocalBus());
    await telex.teleprinter.register(bob, { deviceId: "printer-1", name: "Printer" });
    const { connection, events } = createDevice(bobThere);
    await other.connectDevice(connection, { deviceId: "printer-1", ack: false });
    await telex.teleprinter.send(bob, { deviceId: "printer-1", content: "print this" });
    await ticks();
    expect(events).toMatchObject([{ kind: "device_message", data: { content: "print this" } }]);
  });

  it("tell pages on one of the devices that come and go, and of the texts, on the other", async () => {
    const { telex, other, bob, bobThere, clock } = await createServers(createLocalBus());
    const page = createConnection(bobThere);
    other.watchDevices(page.connection);
    await telex.teleprinter.register(bob, { deviceId: "printer-1", name: "Printer" });
    await telex.teleprinter.sync(bob, { deviceId: "printer-1", content: "hello" });
    await ticks();
    expect(page.events).toMatchObject([
      { kind: "device_presence", data: { deviceId: "printer-1", online: true } },
      { kind: "device_message", data: { content: "hello" } },
    ]);
    await telex.close();
    await clock.advance(100_000);
    await clock.advance(1000);
    expect(page.events.at(-1)).toMatchObject({ kind: "device_presence", data: { online: false } });
  });

  it("close the connections of a token that ends on the other one", async () => {
    const { telex, other } = await createServers(createLocalBus());
    const { token } = await telex.operator.tokens.issue(operator, { userId: 2, scopes: ["chat"] });
    const { connection, closed } = createConnection(await other.authenticate(token));
    other.attach(connection);
    await telex.operator.tokens.revoke(operator, { token });
    await ticks();
    expect(closed).toEqual(["token_ended"]);
  });
});
