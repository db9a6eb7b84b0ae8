import assert from "node:assert/strict";
import type { MessageRecord, MessageStore, Storage } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, upTo } from "../support/expect.ts";
import { appendMessages, digitsOf, idsOf, messageIn, nonceLife, now, upload } from "../support/fixtures.ts";

export const room = 11;

const md5 = digitsOf(1, 32);

/** A message that an account knows under these ids. */
export const known = (content: string, messageIds: readonly string[], account = "bot-1", groupId = room) =>
  messageIn(groupId, content, { network: { account, messageIds } });

/** The same, of a network that reuses ids: messages with other contents are different messages. */
const fresh = (content: string, messageIds: readonly string[]) =>
  messageIn(room, content, {
    network: { account: "bot-1", messageIds, isSame: (one: MessageRecord) => one.content === content },
  });

export async function listAll(store: MessageStore, groupId = room): Promise<readonly MessageRecord[]> {
  return (await store.page({ groupId, before: null, limit: 1000 })).messages;
}

export const find = (store: MessageStore, messageId: string, account = "bot-1", groupId = room) =>
  store.findNetworkMessage({ account, groupId, messageId });

/** Stores a message with two attachments. */
async function appendWithFiles({ bucket, messages }: { bucket: StorageBucket; messages: MessageStore }) {
  await bucket.putFile(upload(1));
  const attachments = ["x/b", "x/a"].map((relativePath) => ({ relativePath, md5, name: "name" }));
  return appendMessages(messages, [messageIn(room, "plain"), messageIn(room, "files", { files: [md5], attachments })]);
}

type StorageBucket = Storage["bucket"];

/** Promises of a storage about messages that come from, or went to, an external network. */
export const networkCases: readonly StorageCase[] = defineCases("messages of networks", {
  "a message is stored once per account, room and id": async ({ storage, reopen }) => {
    const [first] = await appendMessages(storage.messages, [known("hi", ["m-1"])]);
    const { messages } = await reopen();
    const late = { ...known("again", ["m-1"]) };
    const again = await messages.append({
      ...late,
      message: { ...late.message, receiveTime: now + 5 * nonceLife },
    });
    assert.deepEqual(again, { outcome: "repeated", message: first });
    await appendMessages(messages, [known("hi", ["m-2"]), known("hi", ["m-1"], "bot-2")]);
    assert.equal((await listAll(messages)).length, 3);
  },

  "an id names one message in each room": async ({ storage, reopen }) => {
    const rooms = [room, room + 1, room + 2];
    const stored = await appendMessages(
      storage.messages,
      rooms.map((groupId) => known("hi", ["m-1"], "bot-1", groupId)),
    );
    const { messages } = await reopen();
    for (const [index, groupId] of rooms.entries()) {
      const message = stored[index];
      assert.deepEqual(await find(messages, "m-1", "bot-1", groupId), message);
      assert.deepEqual(await messages.append(known("hi", ["m-1"], "bot-1", groupId)), { outcome: "repeated", message });
      const ids = await messages.listNetworkIds(groupId, message?.id ?? 0);
      assert.deepEqual(ids, [{ account: "bot-1", messageId: "m-1" }]);
    }
    assert.equal(await find(messages, "m-1", "bot-1", room + 3), null);
  },

  "a message with an id that another one of the room has is stored, and has the id from then on": async ({
    storage,
    reopen,
  }) => {
    const [first] = await appendMessages(storage.messages, [fresh("one", ["m-1", "m-2"])]);
    const [second] = await appendMessages(storage.messages, [fresh("two", ["m-1"])]);
    const { messages } = await reopen();
    assert.deepEqual(await listAll(messages), [second, first]);
    assert.deepEqual([await find(messages, "m-1"), await find(messages, "m-2")], [second, first]);
    assert.deepEqual(await messages.listNetworkIds(room, first?.id ?? 0), [{ account: "bot-1", messageId: "m-2" }]);
    assert.deepEqual(await messages.append(fresh("two", ["m-1"])), { outcome: "repeated", message: second });
    assert.deepEqual(await messages.append(fresh("one", ["m-1", "m-2"])), { outcome: "repeated", message: first });
    assert.deepEqual(await find(messages, "m-1"), second);
  },

  "of 20 simultaneous messages that share an id and are not the same all are stored": async ({ storage, race }) => {
    const results = await race(20, ({ messages }, caller) => messages.append(fresh(`by ${caller}`, ["m-1"])));
    assert.deepEqual(countOutcomes(results), { appended: 20 });
    const [newest, ...others] = await listAll(storage.messages);
    assert.equal(others.length, 19);
    assert.deepEqual(await find(storage.messages, "m-1"), newest);
  },

  "of 20 simultaneous arrivals that share an id in two rooms one of each room is stored": async ({ storage, race }) => {
    const results = await race(20, ({ messages }, caller) =>
      messages.append(known("hi", ["m-1"], "bot-1", room + (caller % 2))),
    );
    assert.deepEqual(countOutcomes(results), { appended: 2, repeated: 18 });
    for (const groupId of [room, room + 1]) {
      const [stored, ...others] = await listAll(storage.messages, groupId);
      assert.deepEqual(others, []);
      assert.deepEqual(await find(storage.messages, "m-1", "bot-1", groupId), stored);
    }
  },

  "of 20 simultaneous arrivals that share an id exactly one is stored": async ({ storage, race }) => {
    const results = await race(20, ({ messages }, caller) => messages.append(known("hi", [`own-${caller}`, "m-1"])));
    assert.deepEqual(countOutcomes(results), { appended: 1, repeated: 19 });
    const [stored, ...others] = await listAll(storage.messages);
    assert.deepEqual(others, []);
    for (const caller of upTo(19)) assert.deepEqual(await find(storage.messages, `own-${caller}`), stored);
  },

  "the files of a message are listed in their order, also when they are gone": async ({ storage, reopen }) => {
    const [plain, carrier] = await appendWithFiles(storage);
    const { messages, bucket } = await reopen();
    await bucket.takeFile(md5);
    assert.deepEqual(await messages.listFiles(room, carrier?.id ?? 0), ["x/b", "x/a"]);
    assert.deepEqual(await messages.listFiles(room + 1, carrier?.id ?? 0), []);
    assert.deepEqual(await messages.listFiles(room, plain?.id ?? 0), []);
    assert.deepEqual(await messages.listFiles(room, Number.MAX_SAFE_INTEGER), []);
  },

  "a person of a network has one number, permanently": async ({ storage, reopen }) => {
    const ada = { network: "chat", ext: "U1" };
    const number = await storage.messages.assignNumber(ada);
    assert.ok(Number.isSafeInteger(number) && number > 0, `${number} is no number`);
    const { messages } = await reopen();
    assert.equal(await messages.assignNumber(ada), number);
    assert.deepEqual(await messages.findPerson(number), { ...ada, number });
    assert.equal(await messages.findPerson(number + 1), null);
    const others = [
      { network: "chat", ext: "u1" },
      { network: "other", ext: "U1" },
      { network: "chatU", ext: "1" },
    ];
    const numbers = await Promise.all(others.map((person) => messages.assignNumber(person)));
    assert.equal(new Set([number, ...numbers]).size, 4);
  },

  "of 20 that ask for the number of one person all get the same": async ({ storage, race }) => {
    const numbers = await race(20, ({ messages }) => messages.assignNumber({ network: "chat", ext: "U1" }));
    assert.equal(new Set(numbers).size, 1);
    assert.equal((await storage.messages.findPerson(numbers[0] ?? 0))?.ext, "U1");
    assert.equal(idsOf(await appendMessages(storage.messages, [messageIn(room, "by a number")])).length, 1);
  },
});
