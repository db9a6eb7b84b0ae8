import { expect, it } from "vitest";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

it("a member who is removed and added in one batch is a member", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const fields = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: 1 } as const;
  const { groupId } = await storage.groups.appendGroup(fields, [1, 2]);
  const amended = await Promise.all([
    storage.groups.amendMembers(groupId, { add: [], remove: [2] }),
    storage.groups.amendMembers(groupId, { add: [2], remove: [] }),
  ]);
  expect(amended).toEqual(["amended", "amended"]);
  expect((await storage.groups.listMembers(groupId)).map(({ userId }) => userId)).toEqual([1, 2]);
});

it("a verb that has waited for its time behind another batch is rejected and not done", async () => {
  const storage = await openStorage({ url: newDatabase(), timeout: 1000 });
  const admin = storage.connection.client.db("admin");
  const data = { appName: "telex", failCommands: ["find"], blockConnection: true, blockTimeMS: 1500 };
  await admin.command({ configureFailPoint: "failCommand", mode: { times: 1 }, data });
  // More than fits into a transaction with another one.
  const large = storage.messages.append(messageIn(7, "a".repeat(4 * 2 ** 20)));
  const behind = storage.messages.append(messageIn(7, "behind"));
  await expect(large).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(behind).rejects.toMatchObject({ code: "storage_unavailable" });
  expect((await storage.messages.page({ groupId: 7, before: null, limit: 10 })).messages).toEqual([]);
});

it("a verb that the database refuses for good fails alone", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const admin = storage.connection.client.db("admin");
  const data = { appName: "telex", failCommands: ["insert"], errorCode: 10_334 };
  // The batch fails, and then its first verb alone.
  await admin.command({ configureFailPoint: "failCommand", mode: { times: 2 }, data });
  const appended = await Promise.allSettled(
    ["one", "two", "three"].map((text) => storage.messages.append(messageIn(7, text))),
  );
  expect(appended.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  const { messages } = await storage.messages.page({ groupId: 7, before: null, limit: 10 });
  expect(messages.map(({ content, seq }) => [content, seq])).toEqual([
    ["three", 2],
    ["two", 1],
  ]);
});

it("a recall shares a transaction with the messages of its room", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const first = await storage.messages.append(messageIn(7, "secret"));
  if (!("message" in first)) throw new Error("The message was not stored.");
  const writes: number[] = [];
  storage.observeCommits?.((commit) => void writes.push(commit.writes));
  const recall = { groupId: 7, messageId: first.message.id, operatorId: "7", external: false, ownSince: null };
  const [recalled, appended] = await Promise.all([
    storage.messages.recall({ ...recall, content: "", pinyin: "" }),
    storage.messages.append(messageIn(7, "next")),
  ]);
  expect([recalled.outcome, appended.outcome]).toEqual(["recalled", "appended"]);
  expect(writes).toEqual([2]);
});
