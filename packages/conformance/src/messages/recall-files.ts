import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { fieldsOf, upTo } from "../support/expect.ts";
import { appendMessages, messageIn, now, upload } from "../support/fixtures.ts";
import { room, md5, recallOf, recall } from "./recall.ts";

/** Promises about the files of recalled messages. */
export const recallFileCases: readonly StorageCase[] = defineCases("messages recalled", {
  "the files that only a recalled message used are unused again": async ({ storage, reopen }) => {
    for (const number of [1, 2, 3, 4]) await storage.bucket.putFile(upload(number));
    await storage.bucket.keepFile(md5(4));
    const attachments = [{ relativePath: "x/1", md5: md5(1), name: "1" }];
    const stored = await appendMessages(storage.messages, [
      messageIn(room, "first", { files: [md5(1), md5(2), md5(4)], attachments }),
      messageIn(room, "second", { files: [md5(2), md5(3)] }),
    ]);
    await recall(storage.messages, stored[0]?.id ?? 0);
    const { bucket, messages } = await reopen();
    const used = await Promise.all([1, 2, 3, 4].map(async (number) => (await bucket.findFile(md5(number)))?.usedAt));
    assert.deepEqual(used, [null, now, now, Number.MAX_SAFE_INTEGER]);
    assert.equal(await bucket.findAttachment("x/1"), null);
    assert.deepEqual(await messages.listFiles(room, stored[0]?.id ?? 0), []);
    const expired = await bucket.takeExpiredFiles({ now: now + 1, imagesBefore: 0, limit: 10 });
    assert.deepEqual(fieldsOf(expired, "md5"), [md5(1)]);
    await recall(messages, stored[1]?.id ?? 0);
    assert.deepEqual((await bucket.findFile(md5(2)))?.usedAt, null);
  },

  "a file that is used while its message is recalled stays used": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    const files = [md5(1)];
    const stored = await appendMessages(
      storage.messages,
      upTo(10).map((number) => messageIn(room, `message ${number}`, { files })),
    );
    await race(20, async ({ messages }, caller) =>
      caller < 10
        ? messages.recall(recallOf(stored[caller]?.id ?? 0))
        : messages.append(messageIn(room, `more ${caller}`, { files })),
    );
    assert.equal((await storage.bucket.findFile(md5(1)))?.usedAt, now);
  },

  "a file whose earlier uses were not recorded is not released": async ({ storage: { records, ...storage } }) => {
    await records.put("files", [{ ...upload(1).file, createdAt: now, usedAt: now - 1, unusedUntil: now }]);
    const [message] = await appendMessages(storage.messages, [messageIn(room, "file", { files: [md5(1)] })]);
    await recall(storage.messages, message?.id ?? 0);
    assert.equal((await storage.bucket.findFile(md5(1)))?.usedAt, now);
  },
});
