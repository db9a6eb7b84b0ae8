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
