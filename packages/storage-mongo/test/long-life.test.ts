import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "@telex/core/storage";
import { createManualClock } from "@telex/conformance/testing";
import type { Document } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import type { MongoStorage } from "../src/index.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/** Makes commands fail until the test ends. */
async function failAlways(
  { connection }: Pick<MongoStorage, "connection">,
  data: Document,
): Promise<() => Promise<unknown>> {
  const admin = connection.client.db("admin");
  const arm = (mode: string) =>
    admin.command({ configureFailPoint: "failCommand", mode, data: { appName: "telex", ...data } });
  const disarm = () => admin.command({ configureFailPoint: "failCommand", mode: "off" }).catch(() => undefined);
  onTestFinished(() => void disarm());
  await arm("alwaysOn");
  return disarm;
}

const deviceOf = async ({ teleprinter }: Storage) => {
  const device = { deviceId: "printer-1", owner: 7 } as const;
  await teleprinter.claimDevice({ ...device, name: "Printer", now: 1 });
  return device;
};

describe("old data of a database", () => {
  it("nonces are removed when their life is over", async () => {
    const clock = createManualClock();
    const storage = await openStorage({ url: newDatabase(), clock });
    const device = await deviceOf(storage);
    const nonceLife = 60_000;
    const append = messageIn(7, "hello");
    const nonce = { value: "n", fingerprint: "f", life: nonceLife };
    await storage.messages.append({ ...append, message: { ...append.message, receiveTime: clock.now() }, nonce });
    const text = { ...device, direction: "to_device", content: "hello", nonce: "n", queueLimit: 9 } as const;
    await storage.teleprinter.append({ ...text, now: clock.now(), nonceLife });
    const { db } = storage.connection;
    const count = async () =>
      (await db.collection("messageNonces").countDocuments()) + (await db.collection("deviceNonces").countDocuments());
    expect(await count()).toBe(2);
    await clock.advance(10 * 60_000);
    while ((await count()) > 0) await delay(10);
  });

  it("terms of a recalled message are not kept, whenever it was recalled and however it came here", async () => {
    const storage = await openStorage({ url: newDatabase() });
    const { messages, records } = storage;
    const stored = await Promise.all(["first", "second", "third"].map((text) => messages.append(messageIn(7, text))));
    const [first, second, third] = stored.flatMap((one) => ("message" in one ? [one.message] : []));
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("A message was not stored.");
    const termsOf = async () => {
      const found = await storage.connection.db.collection("messages").find().sort({ id: 1 }).toArray();
      return found.map(({ terms }: Document): unknown => terms);
    };
    const recall = (messageId: number) =>
      messages.recall({
        groupId: 7,
        messageId,
        operatorId: "7",
        external: false,
        ownSince: null,
        content: "",
        pinyin: "",
      });
    const positions = await messages.listUnindexed();
    const recalled = await recall(first.id);
    await messages.index(positions.map((position) => ({ ...position, terms: [5] })));
    expect(await termsOf()).toEqual([[], [5], [5]]);
    if (!("recall" in recalled)) throw new Error("The message was not recalled.");
    // As an import does: after the message has its terms, and before.
    const put = (made: { readonly id: number; readonly seq: number }) =>
      records.put("messageRecalls", [{ groupId: 7, operatorId: "7", external: false, id: made.id, seq: made.seq }]);
    await put({ id: recalled.recall.id + 1, seq: second.seq });
    await records.put("messages", [third]);
    await put({ id: recalled.recall.id + 2, seq: third.seq });
    await messages.index((await messages.listUnindexed()).map((position) => ({ ...position, terms: [6] })));
    expect(await termsOf()).toEqual([[], [], []]);
    expect(await messages.listUnindexed()).toEqual([]);
  });

  it("a device with many texts is released in parts, and a repeat continues after a failure", async () => {
    const storage = await openStorage({ url: newDatabase() });
    const device = await deviceOf(storage);
    const texts = storage.connection.db.collection<{ _id: { a: string; b: number } }>("deviceMessages");
    const { deviceId } = device;
    const message = { deviceId, direction: "to_device", content: "hello", delivered: true, createdAt: 1, room: false };
    const ids = Array.from({ length: 700 }, (_, index) => index + 1);
    await texts.insertMany(ids.map((id) => ({ _id: { a: deviceId, b: id }, ...message, id, holder: null, until: 0 })));
    const works = await failAlways(storage, { failCommands: ["commitTransaction"], errorCode: 257 });
    await expect(storage.teleprinter.releaseDevice(device)).rejects.toMatchObject({ code: "internal" });
    await works();
    expect(await texts.countDocuments()).toBe(200);
    expect(await storage.teleprinter.findDevice(deviceId)).not.toBeNull();
    expect(await storage.teleprinter.releaseDevice(device)).toMatchObject({ outcome: "released" });
    expect(await texts.countDocuments()).toBe(0);
  });

  it("a room with many members is dropped in parts, and a repeat continues after a failure", async () => {
    const { groups, connection } = await openStorage({ url: newDatabase() });
    const fields = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: 1 } as const;
    const others = await groups.appendGroup(fields, [7]);
    const { groupId } = await groups.appendGroup(
      fields,
      Array.from({ length: 700 }, (_, index) => index + 1),
    );
    const works = await failAlways({ connection }, { failCommands: ["commitTransaction"], errorCode: 257 });
    await expect(groups.dropGroup(groupId)).rejects.toMatchObject({ code: "internal" });
    await works();
    expect((await groups.listMembers(groupId)).length).toBe(200);
    expect(await groups.dropGroup(groupId)).toBe(true);
    expect([await groups.findGroup(groupId), await groups.listMembers(groupId)]).toEqual([null, []]);
    expect((await groups.listMembers(others.groupId)).length).toBe(1);
  });

  it("a conversation with many messages is dropped in parts, and only by its user", async () => {
    const storage = await openStorage({ url: newDatabase() });
    const fields = { title: "Tea", status: 0, defaultModel: "echo", lastMessage: 1, totalToken: 0 } as const;
    const { id: conversationId } = await storage.ai.appendConversation({ userId: 7, ...fields });
    const said = storage.connection.db.collection<{ _id: { a: number; b: number } }>("conversationMessages");
    const ids = Array.from({ length: 700 }, (_, index) => index + 1);
    await said.insertMany(ids.map((id) => ({ _id: { a: conversationId, b: id }, conversationId, id })));
    expect(await storage.ai.dropConversation({ conversationId, userId: 8 })).toBe(false);
    expect(await said.countDocuments()).toBe(700);
    const works = await failAlways(storage, { failCommands: ["commitTransaction"], errorCode: 257 });
    await expect(storage.ai.dropConversation({ conversationId, userId: 7 })).rejects.toMatchObject({
      code: "internal",
    });
    await works();
    expect(await said.countDocuments()).toBe(200);
    expect(await storage.ai.dropConversation({ conversationId, userId: 7 })).toBe(true);
    expect(await said.countDocuments()).toBe(0);
  });
});

describe("long operations", () => {
  it("an index that is built for longer than the time-out of a call is built", async () => {
    const url = newDatabase();
    const other = await openStorage({ url: newDatabase() });
    const admin = other.connection.client.db("admin");
    const data = { appName: "telex", failCommands: ["createIndexes"], blockConnection: true, blockTimeMS: 1500 };
    await admin.command({ configureFailPoint: "failCommand", mode: { times: 1 }, data });
    const storage = await openStorage({ url, timeout: 1000 });
    expect(await storage.users.findUser(1)).toBeNull();
  });
});
