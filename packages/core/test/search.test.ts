import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { operator } from "../src/index.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createScene, ticks, until } from "@telex/conformance/testing";

const open = async (storage = createMemoryStorage()) => {
  const scene = await createScene({ storage, blobs: createMemoryBlobs(), images: createSharpEngine() });
  onTestFinished(() => scene.telex.close());
  return { ...scene, storage };
};

it("messages that were moved from elsewhere are indexed in the background, and found then", async () => {
  const from = await open();
  const alice = await from.person("Alice");
  const groupId = await from.room([alice]);
  const caller = await from.caller(alice);
  for (let number = 0; number < 100; number += 1) {
    await from.telex.messages.send(caller, { groupId, groupType: 1, message: `你好 ${number}` });
  }
  const target = createMemoryStorage();
  for (const kind of ["users", "groups", "members", "messages", "tokens"] as const) {
    await target.records.put(kind, await from.storage.records.list(kind, { after: null, limit: 1000 }));
  }
  const to = await open(target);
  const search = async () => to.telex.messages.search(caller, { q: "nihao", pageSize: 100 });
  await until(() => to.log.lines.includes('info messages.indexed {"messages":100}'));
  expect((await search()).list).toHaveLength(100);
  expect((await search()).incomplete).toBe(false);
});

it("a search among the longest messages reads a bounded number of messages for each page", async () => {
  const { telex, person, caller: callerOf, room } = await open();
  const alice = await person("Alice");
  const caller = await callerOf(alice);
  const long = "啊".repeat(9000);
  const groupId = await room([alice]);
  for (let number = 0; number < 30; number += 1) {
    await telex.messages.send(caller, { groupId, groupType: 1, message: long });
  }
  const page = await telex.messages.search(caller, { q: "啊", pageSize: 100 });
  expect(page.list.length).toBeLessThan(15);
  let total = 0;
  for (let cursor: string | undefined; ;) {
    const { list, nextCursor } = await telex.messages.search(caller, {
      q: "啊",
      pageSize: 100,
      ...(cursor && { cursor }),
    });
    total += list.length;
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  expect(total).toBe(30);
});

it("a member who is removed during a search gets nothing of the room", async () => {
  const storage = createMemoryStorage();
  const given = { ...storage.messages };
  const { telex, person, caller: callerOf, room } = await open(storage);
  const alice = await person("Alice");
  const caller = await callerOf(alice);
  const groupId = await room([alice]);
  await telex.messages.send(caller, { groupId, groupType: 1, message: "secret" });
  storage.messages.search = async (asked) => {
    const found = await given.search(asked);
    expect(found.messages).toHaveLength(1);
    await telex.operator.groups.amendMembers(operator, { groupId, remove: [alice.id] });
    return found;
  };
  expect((await telex.messages.search(caller, { q: "secret" })).list).toEqual([]);
});

it("a search reads two parts of the messages for a page, and only one if its caller has left", async () => {
  const storage = createMemoryStorage();
  const given = { ...storage.messages };
  const { telex, person, caller: callerOf, room } = await open(storage);
  const alice = await person("Alice");
  const caller = await callerOf(alice);
  await room([alice]);
  const leaving = new AbortController();
  let reads = 0;
  storage.messages.search = async (asked) => {
    reads += 1;
    if (asked.limit === 1) leaving.abort();
    return { ...(await given.search(asked)), next: 1 };
  };
  const { signal } = leaving;
  expect(await telex.messages.search(caller, { q: "tea", pageSize: 2 }, { signal })).toMatchObject({ nextCursor: "1" });
  expect(reads).toBe(2);
  await telex.messages.search(caller, { q: "tea", pageSize: 1 }, { signal });
  expect(reads).toBe(3);
});

it("messages are found while they have no terms, and after they got them", async () => {
  const { telex, storage, person, caller: callerOf, room } = await open();
  const alice = await person("Alice");
  const caller = await callerOf(alice);
  const groupId = await room([alice]);
  const sent: number[] = [];
  for (let number = 0; number < 300; number += 1) {
    const { messageId } = await telex.messages.send(caller, { groupId, groupType: 1, message: `你好 ${number}x` });
    sent.push(messageId);
    const { list } = await telex.messages.search(caller, { q: `nihao ${number}x`, pageSize: 1 });
    expect(list.map(({ message }) => message.messageId)).toEqual([messageId]);
  }
  await ticks();
  expect((await storage.messages.listUnindexed()).length).toBeLessThan(128);
  const { list } = await telex.messages.search(caller, { q: "nihao 17x", pageSize: 1 });
  expect(list.map(({ message }) => message.messageId)).toEqual([sent[17]]);
});
