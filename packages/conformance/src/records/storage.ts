import assert from "node:assert/strict";
import { assertStorage } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { everyCall } from "./every-verb.ts";
import {
  appendTexts,
  claim,
  fillQueue,
  fillRoom,
  messageIn,
  now,
  person,
  printer,
  take,
  textTo,
  upload,
} from "../support/fixtures.ts";

/** Promises of a storage as a whole. */
export const wholeCases: readonly StorageCase[] = defineCases("storage", {
  "every part is there": async ({ storage }) => {
    assertStorage(storage);
    await storage.probe();
  },

  "two connections see the same": async ({ storage, second }) => {
    const other = await second();
    await claim(storage.teleprinter);
    assert.deepEqual(
      await other.teleprinter.findDevice(printer.deviceId),
      await storage.teleprinter.findDevice(printer.deviceId),
    );
    const [text] = await appendTexts(other.teleprinter, [textTo("from the other")]);
    assert.deepEqual(await take(storage.teleprinter), [text]);
    const [message] = await fillRoom(storage.messages, 11, 1);
    assert.deepEqual(await other.messages.findMessage(11, message?.id ?? 0), message);
  },

  "records that were handed out never change": async ({ storage }) => {
    const { teleprinter, users, tokens, groups, bucket, messages } = storage;
    await claim(teleprinter);
    await fillQueue(teleprinter, 2);
    await users.appendUser(person());
    await tokens.issueToken({ userId: 7, digest: "d", name: null, scopes: ["chat"], createdAt: now, expiresAt: null });
    const { groupId } = await groups.appendGroup(
      { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now },
      [7],
    );
    await bucket.putFile(upload(1));
    await bucket.issueCode({ digest: "c", storageId: "default", expiresAt: now + 1000 });
    const records = await Promise.all([
      teleprinter.findDevice(printer.deviceId),
      teleprinter.listDevices(printer.owner),
      take(teleprinter),
      users.listUsers({ after: 0, limit: 10 }),
      tokens.findToken("d"),
      groups.listMembers(groupId),
      groups.listGroupsOf(7),
      bucket.findFile(upload(1).file.md5),
      bucket.findCode("c"),
      messages.page({ groupId, before: null, limit: 10 }),
      messages.findNewest([groupId]),
    ]);
    const before = structuredClone(records);
    await teleprinter.deliver({ ...printer, holder: "poll-1", ids: records[2].map(({ id }) => id) });
    await teleprinter.claimDevice({ ...printer, name: "Renamed", now: now + 1 });
    await users.amendUser(records[3][0]?.userId ?? 0, { nickname: "Grace" });
    await tokens.revokeToken({ digest: "d" }, now + 1);
    await groups.amendMembers(groupId, { add: [8], remove: [] });
    await groups.amendCard(groupId, 7, "card");
    await bucket.putFile(upload(2, { uploader: null, code: { digest: "c", storageId: "default" } }));
    await messages.append(messageIn(groupId, "image", { files: [upload(1).file.md5] }));
    assert.deepEqual(records, before);
  },

  "later changes of the callers' objects change nothing": async ({ storage: { tokens, groups, users } }) => {
    const scopes = ["chat"];
    const members = [7];
    const user = person();
    await tokens.issueToken({ userId: 7, digest: "d", name: null, scopes, createdAt: now, expiresAt: null });
    const room = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
    const { groupId } = await groups.appendGroup(room, members);
    await users.appendUser(user);
    scopes.push("profile");
    members.push(8);
    Object.assign(user, { nickname: "Grace" });
    assert.deepEqual((await tokens.findToken("d"))?.scopes, ["chat"]);
    assert.equal((await groups.listMembers(groupId)).length, 1);
    assert.equal((await users.listUsers({ after: 0, limit: 1 }))[0]?.nickname, "Ada");
  },

  "a durable storage can be opened again": async ({ storage, reopen }) => {
    const again = await reopen();
    assert.equal(again.durable, storage.durable);
    assert.equal(again === storage, !storage.durable, "the subject of a durable storage needs `reopen`");
    await again.probe();
  },

  "every call rejects after closing": async ({ storage }) => {
    await storage.close();
    const accepted: string[] = [];
    for (const { name, run } of everyCall(storage)) {
      await run().then(
        () => accepted.push(name),
        () => undefined,
      );
    }
    assert.deepEqual(accepted, [], "these calls were accepted");
  },

  "every call is answered before closing": async ({ storage }) => {
    for (const { name, run } of everyCall(storage)) await assert.doesNotReject(run(), name);
  },
});
