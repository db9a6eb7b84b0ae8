import type { MessageStore } from "@telex/core/storage";
import { expect, it } from "vitest";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

interface BotMessage {
  readonly _id: Readonly<Record<string, string | number>>;
  readonly account: string;
  readonly botMessageId: string;
  readonly groupId: number;
  readonly seq: number;
}

async function appendIn(messages: MessageStore, groupId: number, messageId: string) {
  const network = { account: "bot-1", messageIds: [messageId] };
  return messages.append({ ...messageIn(groupId, `${messageId} in ${groupId}`), network });
}

it("the previous version finds network ids that this one writes, and vice versa", async () => {
  const { messages, connection } = await openStorage({ url: newDatabase() });
  const ids = connection.db.collection<BotMessage>("botMessages");
  expect(await appendIn(messages, 7, "new")).toMatchObject({ outcome: "appended" });
  // The previous version has one document per account and id, for all rooms.
  expect(await ids.findOne({ _id: { a: "bot-1", b: "new" } })).toMatchObject({ groupId: 7, seq: 1 });
  await ids.insertOne({
    _id: { a: "bot-1", b: "old" },
    account: "bot-1",
    botMessageId: "old",
    groupId: 7,
    seq: 1,
  });
  expect(await appendIn(messages, 7, "old")).toMatchObject({ outcome: "repeated", message: { seq: 1 } });
  for (const messageId of ["new", "old"]) {
    expect(await appendIn(messages, 8, messageId)).toMatchObject({ outcome: "appended" });
    expect(await appendIn(messages, 8, messageId)).toMatchObject({ outcome: "repeated" });
    const found = await messages.findNetworkMessage({ account: "bot-1", groupId: 8, messageId });
    expect(found?.content).toBe(`${messageId} in 8`);
  }
  expect(await ids.findOne({ _id: { a: "bot-1", b: "new" } })).toMatchObject({ groupId: 7, seq: 1 });
  expect(await ids.countDocuments()).toBe(4);
});
