import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { fieldsOf, upTo } from "../support/expect.ts";
import { appendMessages, digitsOf, messageIn, upload } from "../support/fixtures.ts";
import { recall } from "./recall.ts";

const md5 = digitsOf(1, 32);
const start = { groupId: 0, seq: 0 };

/** Promises of a storage about the messages that use a file. */
export const fileUseCases: readonly StorageCase[] = defineCases("messages with a file", {
  "the messages of some rooms that use a file are listed by room and place": async ({ storage, reopen }) => {
    for (const number of [1, 2]) await storage.bucket.putFile(upload(number));
    const stored = await appendMessages(storage.messages, [
      messageIn(12, "first", { files: [md5] }),
      messageIn(11, "plain"),
      messageIn(11, "second", { files: [md5, digitsOf(2, 32)] }),
      messageIn(13, "elsewhere", { files: [md5] }),
      messageIn(11, "third", { files: [md5] }),
      messageIn(11, "other", { files: [digitsOf(2, 32)] }),
    ]);
    const { messages } = await reopen();
    const page = { md5, groupIds: [12, 14, 11], after: start, limit: 9 };
    const [first, , second, , third] = stored;
    assert.deepEqual(await messages.listUsing(page), [second, third, first]);
    assert.deepEqual(await messages.listUsing({ ...page, limit: 1 }), [second]);
    const after = { groupId: 11, seq: second?.seq ?? 0 };
    assert.deepEqual(await messages.listUsing({ ...page, after }), [third, first]);
    assert.deepEqual(await messages.listUsing({ ...page, after: { groupId: 12, seq: 1 } }), []);
    assert.deepEqual(await messages.listUsing({ ...page, groupIds: [] }), []);
    assert.deepEqual(await messages.listUsing({ ...page, md5: digitsOf(3, 32) }), []);
  },

  "a recalled message uses no file": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    const stored = await appendMessages(
      messages,
      ["a", "b"].map((text) => messageIn(11, text, { files: [md5] })),
    );
    await recall(messages, stored[0]?.id ?? 0);
    const using = await messages.listUsing({ md5, groupIds: [11], after: start, limit: 9 });
    assert.deepEqual(fieldsOf(using, "id"), [stored[1]?.id]);
  },

  "uses in more rooms than one query names are listed": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    await appendMessages(messages, [messageIn(1, "first", { files: [md5] }), messageIn(450, "last", { files: [md5] })]);
    const using = await messages.listUsing({ md5, groupIds: upTo(450), after: start, limit: 9 });
    assert.deepEqual(fieldsOf(using, "groupId"), [1, 450]);
  },
});
