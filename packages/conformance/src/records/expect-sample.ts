import assert from "node:assert/strict";
import type { Storage } from "@telex/core/storage";
import { expectOutcome, fieldsOf, withOutcome } from "../support/expect.ts";
import { idsOf, messageIn, nonceLife, now, person, take, textFrom, textTo, upload } from "../support/fixtures.ts";
import { settleTurn } from "../ai/settle-turn.ts";
import { sampleRecords } from "./sample-records.ts";

async function expectPeople({ users, tokens, groups }: Storage): Promise<void> {
  assert.equal((await users.findUserByExt("10012"))?.userId, 12);
  const models = await users.listModels();
  assert.deepEqual(fieldsOf(models, "userId"), [12]);
  const reached = await users.listOneBots();
  assert.deepEqual(fieldsOf(reached, "userId"), [12]);
  assert.equal((await tokens.findToken("d1"))?.tokenId, 1);
  assert.equal((await groups.findGroupByExt({ ext: "900", groupType: 4, bot: "bot-1" }))?.groupId, 5);
  assert.deepEqual(await groups.listGroupsOf(3), [2, 5]);
  const [first] = await groups.listMembers(2);
  const own = { archived: true, notify: "mentions", mutedUntil: now };
  assert.deepEqual(first, { userId: 1, card: "Countess", role: "owner", joinedAt: now, ...own });
}

async function expectFiles({ bucket }: Storage): Promise<void> {
  const [first, second] = sampleRecords.files;
  assert.equal((await bucket.findUploads(3, [first?.md5 ?? ""])).length, 1);
  assert.equal((await bucket.findAttachment("a1/报告.zip"))?.md5, second?.md5);
  assert.equal((await bucket.findBlobs([first?.blobId ?? "", "none"])).size, 1);
}

async function expectMessages({ teleprinter, messages }: Storage): Promise<void> {
  assert.deepEqual(idsOf(await teleprinter.listDevices(1).then(() => take(teleprinter, {}, keyOfPrinter))), [5, 7, 9]);
  assert.deepEqual(await messages.listFiles(2, 8), ["a1/报告.zip", "b2/\u{1F600}.zip"]);
  assert.equal((await messages.findNetworkMessage({ account: "bot-2", groupId: 2, messageId: "b-1" }))?.id, 7);
  const inRooms = [2, 5].map((groupId) => messages.findNetworkMessage({ account: "bot-1", groupId, messageId: "b-1" }));
  assert.deepEqual(
    (await Promise.all(inRooms)).map((message) => [message?.groupId, message?.seq]),
    [
      [2, 3],
      [5, 1],
    ],
  );
  assert.deepEqual(await messages.findPerson(3), { number: 3, network: "其他", ext: "U1" });
  assert.equal(await messages.assignNumber({ network: "其他", ext: "U1" }), 3);
}

async function expectReading({ messages }: Storage): Promise<void> {
  const readings = await messages.findReadings(1, [2, 5]);
  assert.deepEqual([readings.get(2)?.readUpTo, readings.get(2)?.unread, readings.get(5)?.unread], [7, 1, 1]);
  const recalls = await messages.listRecalls({ groupIds: [2, 5], after: 12, limit: 5 });
  const recalled = new Map(recalls?.map(({ id, messageId }) => [id, messageId]));
  assert.deepEqual([...recalled.keys(), ...recalled.values()], [13, 14, 2, 1]);
  assert.deepEqual(idsOf((await messages.listAmended({ groupIds: [2, 5], after: 0, limit: 5 })) ?? []), [8]);
  assert.equal((await messages.countMentions(1, [5])).get(5), 1);
}

async function expectAi({ ai }: Storage): Promise<void> {
  const used = await ai.sumUsage(3, { from: "2026-11-19", to: "2026-11-21" });
  assert.deepEqual(used, { replies: 3, tokens: 300, started: 3 });
  assert.equal((await ai.findAllocation(3))?.max, 5000);
  const page = await ai.pageTurns({ conversationId: 2, userId: 3, before: null, limit: 10 });
  assert.deepEqual(idsOf(page?.messages ?? []), [4, 3]);
}

/** Checks the results of every reading verb on the sample. */
export async function expectVerbs(storage: Storage): Promise<void> {
  const all = [expectPeople, expectFiles, expectMessages, expectReading, expectAi];
  for (const expectPart of all) await expectPart(storage);
}

/** The device of the sample that has most texts. */
export const keyOfPrinter = { deviceId: "printer-1", owner: 3 };

/** Checks that open work of the sample is still open, once. */
export async function expectOpen({ teleprinter, messages, bucket, ai, pairings }: Storage): Promise<void> {
  const nonce = { ...keyOfPrinter, nonce: "n-9" };
  expectOutcome(await teleprinter.append(textTo("text", { ...nonce, now: now + 10 })), "nonce_conflict");
  const content = sampleRecords.deviceMessages[2]?.content ?? "";
  const repeated = withOutcome(await teleprinter.append(textFrom(content, { ...nonce, now: now + 10 })), "repeated");
  assert.equal(repeated.message.id, 6);
  const said = { value: "m-8", fingerprint: "f-8", life: nonceLife };
  const again = withOutcome(
    await messages.append(messageIn(2, "text", { nonce: said }, { userId: "3", receiveTime: now + 10 })),
    "repeated",
  );
  assert.equal(again.message.id, 8);
  const known = withOutcome(
    await messages.append(messageIn(5, "text", { network: { account: "bot-1", messageIds: ["b-1"] } })),
    "repeated",
  );
  assert.equal(known.message.id, 2);
  expectOutcome(await bucket.putFile(upload(9, { code: { digest: "c1", storageId: "default" } })), "stored");
  expectOutcome(await bucket.putFile(upload(10, { code: { digest: "c2", storageId: "default" } })), "code_used");
  assert.equal(await ai.settle({ reservationId: "r1", used: { replies: 1, tokens: 1, started: 1 } }), true);
  assert.equal(await ai.settle({ reservationId: "r1", used: { replies: 1, tokens: 1, started: 1 } }), false);
  expectOutcome(await pairings.consumePairing({ secretDigest: "s1", now }), "confirmed");
  expectOutcome(await pairings.consumePairing({ secretDigest: "s2", now }), "pending");
}

async function expectNextPeople({ users, tokens, groups, messages }: Storage): Promise<void> {
  const user = withOutcome(await users.appendUser(person()), "appended");
  assert.ok(user.user.userId > 40, "a user's id was given again");
  const token = { userId: 3, digest: "new", name: null, scopes: [], createdAt: now, expiresAt: null };
  assert.ok((await tokens.issueToken(token)).tokenId > 2, "a token's id was given again");
  const room = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
  assert.ok((await groups.appendGroup(room, [3])).groupId > 5, "a room's id was given again");
  assert.ok((await messages.assignNumber({ network: "chat", ext: "U2" })) > 8, "a person's number was given again");
}

async function expectNextMessages({ teleprinter, messages }: Storage): Promise<void> {
  const text = withOutcome(await teleprinter.append(textTo("next", keyOfPrinter)), "appended");
  assert.ok(text.message.id > 20, "a text's id was given again");
  const said = withOutcome(await messages.append(messageIn(2, "next")), "appended");
  assert.ok(said.message.id > 30, "a message's id was given again");
  assert.equal(said.message.seq, 4);
}

async function expectNextTurns({ ai }: Storage): Promise<void> {
  const conversation = { userId: 3, title: "", status: 0, defaultModel: "", lastMessage: now, totalToken: 0 } as const;
  const { id } = await ai.appendConversation(conversation);
  assert.ok(id > 6, "a conversation's id was given again");
  const turn = { model: "", question: "", answer: "", finishReason: "stop", tokens: 1, askedAt: now, answeredAt: now };
  await settleTurn(ai, { ...turn, conversationId: id, userId: 3 });
  const page = await ai.pageTurns({ conversationId: id, userId: 3, before: null, limit: 1 });
  assert.ok((page?.messages[0]?.id ?? 0) > 12, "a message's id was given again");
}

/** The next ids come after all that were ever given. */
export async function expectNextIds(storage: Storage): Promise<void> {
  for (const expectNext of [expectNextPeople, expectNextMessages, expectNextTurns]) await expectNext(storage);
}
