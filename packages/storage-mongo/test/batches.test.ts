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
  // Too large for one transaction together with another.
  const large = storage.messages.append(messageIn(7, "a".repeat(4 * 2 ** 20)));
  const behind = storage.messages.append(messageIn(7, "behind"));
  await expect(large).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(behind).rejects.toMatchObject({ code: "storage_unavailable" });
  expect((await storage.messages.page({ groupId: 7, before: null, limit: 10 })).messages).toEqual([]);
});

it("a verb that the database refuses for good fails alone", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const admin = storage.connection.client.db("admin");
  const data = { appName: "telex", failCommands: ["bulkWrite"], errorCode: 10_334 };
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

it("each verb that uses a file makes its document another one: a write that changes nothing conflicts with nothing", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const md5 = "0".repeat(32);
  const file = { md5, sha256: "0".repeat(64), size: 1, mime: "image/png", ext: "png", blobId: "blob" };
  const described = { name: "", kind: "picture", unusedUntil: 1_000_000 };
  const put = { ...described, uploader: null, code: null, reserved: null };
  await storage.bucket.putFile({ file, now: 1, ...put });
  const revs: unknown[] = [];
  const look = async () => {
    const document = await storage.connection.db
      .collection<{ _id: string; rev?: number }>("files")
      .findOne({ _id: md5 });
    revs.push(document?.rev);
  };
  const sent = await storage.messages.append({ ...messageIn(7, "picture"), files: [md5] });
  await look();
  // In the same millisecond.
  await storage.messages.append({ ...messageIn(8, "picture"), files: [md5] });
  await look();
  await storage.bucket.putAttachment({ relativePath: "2026/11/a.png", md5, name: "a.png" });
  await look();
  const messageId = "message" in sent ? sent.message.id : 0;
  const recall = { groupId: 7, messageId, operatorId: "7", external: false, ownSince: null };
  await storage.messages.recall({ ...recall, content: "", pinyin: "" });
  await look();
  expect(new Set(revs).size).toBe(4);
  expect(await storage.bucket.findFile(md5)).toEqual({ ...file, createdAt: 1, usedAt: 1 });
});
