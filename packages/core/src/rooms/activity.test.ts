import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { appendMessages, messageIn } from "@telex/conformance";
import { pageByActivity } from "./activity.ts";

const { messages: empty } = createMemoryStorage();

/** Follows the pages to the end; `between` runs after each. */
async function listAll(
  store: typeof empty,
  groupIds: readonly number[],
  pageSize: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
  archived: readonly number[] = [],
): Promise<number[]> {
  const listed: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageByActivity(store, { groupIds, archived, cursor, pageSize });
    listed.push(...page.groupIds);
    cursor = page.nextCursor ?? undefined;
    await between();
  } while (cursor !== undefined);
  return listed;
}

const say = ({ messages }: ReturnType<typeof createMemoryStorage>, groupId: number) =>
  appendMessages(messages, [messageIn(groupId, "text")]);

it("lists the room with the newest message first, and those without messages last, by id", async () => {
  const storage = createMemoryStorage();
  for (const groupId of [5, 2, 9, 2]) await say(storage, groupId);
  const groupIds = [1, 2, 4, 5, 8, 9];
  for (const pageSize of [1, 2, 4, 6, 100]) {
    expect(await listAll(storage.messages, groupIds, pageSize)).toEqual([2, 9, 5, 1, 4, 8]);
  }
});

it("lists every room once, however rooms move up meanwhile", async () => {
  const storage = createMemoryStorage();
  const groupIds = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const groupId of groupIds) if (groupId % 3 > 0) await say(storage, groupId);
  let moved = 0;
  const listed = await listAll(storage.messages, groupIds, 3, async () => {
    for (const step of [7, 13, 29]) await say(storage, ((moved += step) % 40) + 1);
  });
  expect(listed.toSorted((a, b) => a - b)).toEqual(groupIds);
  expect(listed.slice(0, 3)).toEqual([40, 38, 37]);
});

it("lists rooms without any message, also when the first message comes meanwhile", async () => {
  const storage = createMemoryStorage();
  const listed = await listAll(storage.messages, [3, 1, 2], 1, () => say(storage, 3));
  expect(listed).toEqual([1, 2, 3]);
});

it("goes on behind a room that its user has left", async () => {
  const storage = createMemoryStorage();
  for (const groupId of [1, 2, 3]) await say(storage, groupId);
  const first = await pageByActivity(storage.messages, {
    groupIds: [1, 2, 3],
    archived: [],
    cursor: undefined,
    pageSize: 2,
  });
  expect(first.groupIds).toEqual([3, 2]);
  const rest = await pageByActivity(storage.messages, {
    groupIds: [1, 3],
    archived: [],
    cursor: first.nextCursor ?? undefined,
    pageSize: 2,
  });
  expect(rest).toEqual({ groupIds: [1], nextCursor: null });
});

it("asks the store for 500 rooms at a time", async () => {
  const asked: number[] = [];
  const store = {
    findNewest(groupIds: readonly number[]) {
      asked.push(groupIds.length);
      return Promise.resolve(new Map<number, number>());
    },
  };
  const groupIds = Array.from({ length: 1200 }, (_, index) => index + 1);
  await pageByActivity(store, { groupIds, archived: [], cursor: undefined, pageSize: 50 });
  expect(asked).toEqual([500, 500, 200, 500, 500, 200]);
});

it("lists archived rooms last, on pages of any size", async () => {
  const storage = createMemoryStorage();
  for (const groupId of [5, 2, 9]) await say(storage, groupId);
  for (const pageSize of [1, 2, 3, 100]) {
    const none = (): Promise<void> => Promise.resolve();
    expect(await listAll(storage.messages, [1, 2, 4, 5, 9], pageSize, none, [9, 1])).toEqual([2, 5, 4, 9, 1]);
  }
});
