import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome, withOutcome } from "../support/expect.ts";
import { appendMessages, digitsOf, messageIn, nonceLife, now, upload } from "../support/fixtures.ts";

const room = 11;
const nonce = { value: "n", fingerprint: "same", life: nonceLife };
const md5 = (number: number): string => digitsOf(number, 32);

/** Promises of a storage about the files of messages. */
export const messageFileCases: readonly StorageCase[] = defineCases("messages with files", {
  "a message marks its files as used, and keeps its attachments": async ({ storage, reopen }) => {
    for (const number of [1, 2, 3]) await storage.bucket.putFile(upload(number));
    const attachments = [
      { relativePath: "x/报告.pdf", md5: md5(1), name: "报告.pdf" },
      { relativePath: "y/2", md5: md5(2), name: "2" },
    ];
    const files = [md5(1), md5(2)];
    await storage.messages.append(messageIn(room, "files", { files, attachments }, { receiveTime: now + 9 }));
    const { bucket } = await reopen();
    const used = await Promise.all([1, 2, 3].map(async (number) => (await bucket.findFile(md5(number)))?.usedAt));
    assert.deepEqual(used, [now + 9, now + 9, null]);
    assert.deepEqual(await bucket.findAttachment("x/报告.pdf"), attachments[0]);
    assert.deepEqual(await bucket.findAttachment("y/2"), attachments[1]);
    assert.equal(await bucket.findAttachment("x"), null);
  },

  "an attachment may be kept before its message, and goes with its file": async ({ storage, reopen }) => {
    const attachment = { relativePath: "x/报告.pdf", md5: md5(1), name: "报告.pdf" };
    assert.equal(await storage.bucket.putAttachment(attachment), false);
    assert.equal(await storage.bucket.findAttachment("x/报告.pdf"), null);
    await storage.bucket.putFile(upload(1));
    assert.equal(await storage.bucket.putAttachment(attachment), true);
    assert.equal(await storage.bucket.putAttachment(attachment), true);
    const { bucket, messages } = await reopen();
    assert.deepEqual(await bucket.findAttachment("x/报告.pdf"), attachment);
    assert.equal((await bucket.findFile(md5(1)))?.usedAt, null);
    await appendMessages(messages, [messageIn(room, "file", { files: [md5(1)], attachments: [attachment] })]);
    assert.deepEqual(await bucket.findAttachment("x/报告.pdf"), attachment);
    await bucket.takeFile(md5(1));
    assert.equal(await bucket.findAttachment("x/报告.pdf"), null);
  },

  "a message may use a file twice": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    const attachments = ["x", "y"].map((relativePath) => ({ relativePath, md5: md5(1), name: relativePath }));
    await appendMessages(messages, [messageIn(room, "twice", { files: [md5(1), md5(1)], attachments })]);
    assert.equal((await bucket.findFile(md5(1)))?.usedAt, now);
    assert.deepEqual(await bucket.findAttachment("x"), attachments[0]);
    assert.deepEqual(await bucket.findAttachment("y"), attachments[1]);
    assert.equal(await bucket.findAttachment("X"), null);
  },

  "a missing file stores nothing: no message, no use, no attachment, no nonce": async ({ storage }) => {
    const { bucket, messages } = storage;
    await bucket.putFile(upload(1));
    const append = messageIn(room, "files", {
      nonce,
      network: { account: "bot-1", messageIds: ["m-1"] },
      files: [md5(1), md5(2)],
      attachments: [{ relativePath: "x", md5: md5(1), name: "x" }],
    });
    assert.deepEqual(await messages.append(append), { outcome: "file_missing", md5: md5(2) });
    assert.deepEqual((await messages.page({ groupId: room, before: null, limit: 10 })).messages, []);
    assert.equal((await bucket.findFile(md5(1)))?.usedAt, null);
    assert.equal(await bucket.findAttachment("x"), null);
    await bucket.putFile(upload(2));
    const appended = withOutcome(await messages.append(append), "appended");
    assert.equal(appended.message.seq, 1);
  },

  "a repeat uses no file and keeps no attachment": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    await appendMessages(messages, [messageIn(room, "once", { nonce })]);
    const attachments = [{ relativePath: "x", md5: md5(1), name: "x" }];
    const repeat = messageIn(room, "once", { nonce, files: [md5(1)], attachments });
    expectOutcome(await messages.append(repeat), "repeated");
    assert.equal((await bucket.findFile(md5(1)))?.usedAt, null);
    assert.equal(await bucket.findAttachment("x"), null);
  },

  "a repeat is answered although its file is gone": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    const append = messageIn(room, "once", { nonce, files: [md5(1)] });
    const [first] = await appendMessages(messages, [append]);
    const expiry = { now, imagesBefore: now + 1, limit: 10 };
    assert.equal((await bucket.takeExpiredFiles(expiry)).length, 1);
    assert.deepEqual(await messages.append(append), { outcome: "repeated", message: first });
  },

  "the last use of a file counts": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    await race(10, ({ messages }, caller) =>
      messages.append(messageIn(room, "image", { files: [md5(1)] }, { receiveTime: now + ((caller * 7) % 10) })),
    );
    assert.equal((await storage.bucket.findFile(md5(1)))?.usedAt, now + 9);
  },
});
