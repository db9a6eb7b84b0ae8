import assert from "node:assert/strict";
import { compareKeys, keyOf } from "../src/transfer/key.ts";
import { type CounterName, counterNames, type RecordKind, recordKinds, type Records } from "../src/transfer/records.ts";
import { parseRecord } from "../src/transfer/schemas.ts";
import type { RecordStore } from "../src/transfer/store.ts";
import type { Storage } from "../src/storage/storage.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { everyCall } from "./every-verb.ts";
import { expectOutcome } from "./expect.ts";
import { idsOf, messageIn, nonceLife, now, person, take, textFrom, textTo, upload } from "./fixtures.ts";
import { sampleRecords } from "./sample-records.ts";

const listAll = <Kind extends RecordKind>(store: RecordStore, kind: Kind): Promise<readonly Records[Kind][]> =>
  store.list(kind, { after: null, limit: 10_000 });

/** Puts the records of a kind, at most `size` in one call. */
async function putAll(store: RecordStore, kind: RecordKind, size: number): Promise<void> {
  const records: readonly Records[RecordKind][] = sampleRecords[kind];
  for (let at = 0; at < records.length; at += size) await store.put(kind, records.slice(at, at + size));
}

async function fill(store: RecordStore, size = 100): Promise<void> {
  for (const kind of recordKinds) await putAll(store, kind, size);
}

async function expectSample(store: RecordStore): Promise<void> {
  for (const kind of recordKinds) {
    assert.deepEqual(await listAll(store, kind), sampleRecords[kind], kind);
    assert.equal(await store.count(kind), sampleRecords[kind].length, kind);
  }
}

async function expectPages(store: RecordStore, kind: RecordKind): Promise<void> {
  const all = await listAll(store, kind);
  for (const [at, record] of all.entries()) {
    const after = keyOf(kind, record);
    assert.deepEqual(await store.list(kind, { after, limit: 100 }), all.slice(at + 1), kind);
    assert.deepEqual(await store.list(kind, { after, limit: 1 }), all.slice(at + 1, at + 2), kind);
  }
}

async function expectPeople({ users, tokens, groups }: Storage): Promise<void> {
  assert.equal((await users.findUserByExt("10012"))?.userId, 12);
  const models = await users.listModels();
  assert.deepEqual(
    models.map(({ userId }) => userId),
    [12],
  );
  const reached = await users.listOneBots();
  assert.deepEqual(
    reached.map(({ userId }) => userId),
    [12],
  );
  assert.equal((await tokens.findToken("d1"))?.tokenId, 1);
  assert.equal((await groups.findGroupByExt({ ext: "900", groupType: 4, bot: "bot-1" }))?.groupId, 5);
  assert.deepEqual(await groups.listGroupsOf(3), [2, 5]);
  assert.deepEqual((await groups.listMembers(2))[0], { userId: 1, card: "Countess" });
}

async function expectFiles({ bucket }: Storage): Promise<void> {
  const [first, second] = sampleRecords.files;
  assert.equal((await bucket.findUploads(3, [first?.md5 ?? ""])).length, 1);
  assert.equal((await bucket.findAttachment("a1/报告.zip"))?.md5, second?.md5);
  assert.equal((await bucket.findBlobs([first?.blobId ?? "", "none"])).size, 1);
}

async function expectMessages({ teleprinter, messages }: Storage): Promise<void> {
  assert.deepEqual(idsOf(await teleprinter.listDevices(1).then(() => take(teleprinter, {}, keyOfPrinter))), [5, 9]);
  assert.deepEqual(await messages.listFiles(2, 8), ["a1/报告.zip", "b2/\u{1F600}.zip"]);
  assert.equal((await messages.findNetworkMessage({ account: "bot-2", messageId: "b-1" }))?.id, 7);
  assert.deepEqual(await messages.findPerson(3), { number: 3, network: "其他", ext: "U1" });
  assert.equal(await messages.assignNumber({ network: "其他", ext: "U1" }), 3);
}

async function expectReading({ messages }: Storage): Promise<void> {
  const readings = await messages.findReadings(1, [2, 5]);
  assert.deepEqual([readings.get(2)?.readUpTo, readings.get(2)?.unread, readings.get(5)?.unread], [7, 1, 2]);
  const recalls = await messages.listRecalls({ groupIds: [2, 5], after: 12, limit: 5 });
  const recalled = new Map(recalls?.map(({ id, messageId }) => [id, messageId]));
  assert.deepEqual([...recalled.keys(), ...recalled.values()], [13, 14, 2, 1]);
}

async function expectAi({ ai }: Storage): Promise<void> {
  const used = await ai.sumUsage(3, { from: "2026-11-19", to: "2026-11-21" });
  assert.deepEqual(used, { replies: 3, tokens: 300, started: 3 });
  assert.equal((await ai.findAllocation(3))?.max, 5000);
  const page = await ai.pageTurns({ conversationId: 2, userId: 3, before: null, limit: 10 });
  assert.deepEqual(idsOf(page?.messages ?? []), [4, 3]);
}

/** What every verb that reads finds in the sample. */
async function expectVerbs(storage: Storage): Promise<void> {
  const all = [expectPeople, expectFiles, expectMessages, expectReading, expectAi];
  for (const expectPart of all) await expectPart(storage);
}

const keyOfPrinter = { deviceId: "printer-1", owner: 3 };

/** What was open is still open, once. */
async function expectOpen({ teleprinter, messages, bucket, ai, pairings }: Storage): Promise<void> {
  const nonce = { ...keyOfPrinter, nonce: "n-9" };
  expectOutcome(await teleprinter.append(textTo("text", { ...nonce, now: now + 10 })), "nonce_conflict");
  const content = sampleRecords.deviceMessages[2]?.content ?? "";
  const repeated = await teleprinter.append(textFrom(content, { ...nonce, now: now + 10 }));
  expectOutcome(repeated, "repeated");
  assert.equal(repeated.message.id, 6);
  const said = { value: "m-8", fingerprint: "f-8", life: nonceLife };
  const again = await messages.append(messageIn(2, "text", { nonce: said }, { userId: "3", receiveTime: now + 10 }));
  expectOutcome(again, "repeated");
  assert.equal(again.message.id, 8);
  const known = await messages.append(messageIn(5, "text", { network: { account: "bot-1", messageIds: ["b-1"] } }));
  expectOutcome(known, "repeated");
  assert.equal(known.message.id, 2);
  expectOutcome(await bucket.putFile(upload(9, { code: { digest: "c1", storageId: "default" } })), "stored");
  expectOutcome(await bucket.putFile(upload(10, { code: { digest: "c2", storageId: "default" } })), "code_used");
  assert.equal(await ai.settle({ reservationId: "r1", used: { replies: 1, tokens: 1, started: 1 } }), true);
  assert.equal(await ai.settle({ reservationId: "r1", used: { replies: 1, tokens: 1, started: 1 } }), false);
  expectOutcome(await pairings.consumePairing({ secretDigest: "s1", now }), "confirmed");
  expectOutcome(await pairings.consumePairing({ secretDigest: "s2", now }), "pending");
}

async function expectNextPeople({ users, tokens, groups, messages }: Storage): Promise<void> {
  const user = await users.appendUser(person());
  expectOutcome(user, "appended");
  assert.ok(user.user.userId > 40, "a user's id was given again");
  const token = { userId: 3, digest: "new", name: null, scopes: [], createdAt: now, expiresAt: null };
  assert.ok((await tokens.issueToken(token)).tokenId > 2, "a token's id was given again");
  const room = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
  assert.ok((await groups.appendGroup(room, [3])).groupId > 5, "a room's id was given again");
  assert.ok((await messages.assignNumber({ network: "chat", ext: "U2" })) > 8, "a person's number was given again");
}

async function expectNextMessages({ teleprinter, messages }: Storage): Promise<void> {
  const text = await teleprinter.append(textTo("next", keyOfPrinter));
  expectOutcome(text, "appended");
  assert.ok(text.message.id > 20, "a text's id was given again");
  const said = await messages.append(messageIn(2, "next"));
  expectOutcome(said, "appended");
  assert.ok(said.message.id > 30, "a message's id was given again");
  assert.equal(said.message.seq, 4);
}

async function expectNextTurns({ ai }: Storage): Promise<void> {
  const conversation = { userId: 3, title: "", status: 0, defaultModel: "", lastMessage: now, totalToken: 0 } as const;
  const { id } = await ai.appendConversation(conversation);
  assert.ok(id > 6, "a conversation's id was given again");
  const turn = { model: "", question: "", answer: "", finishReason: "stop", tokens: 1, askedAt: now, answeredAt: now };
  await ai.appendTurn({ ...turn, conversationId: id, userId: 3 });
  const page = await ai.pageTurns({ conversationId: id, userId: 3, before: null, limit: 1 });
  assert.ok((page?.messages[0]?.id ?? 0) > 12, "a message's id was given again");
}

/** The next ids come after all that were ever given. */
async function expectNextIds(storage: Storage): Promise<void> {
  for (const expectNext of [expectNextPeople, expectNextMessages, expectNextTurns]) await expectNext(storage);
}

/** What the counters are after every verb was called once, if ids are 1, 2, 3 …. */
const countersOfEveryCall: readonly Records["counters"][] = [
  { name: "conversation", value: 1 },
  { name: "conversationMessage", value: 2 },
  { name: "deviceMessage", value: 1 },
  { name: "group", value: 1 },
  { name: "message", value: 2 },
  { name: "networkPerson", value: 1 },
  { name: "token", value: 1 },
  { name: "user", value: 1 },
];

/** No counter is below an id that was given. */
async function expectCovered(store: RecordStore, counters: readonly Records["counters"][]): Promise<void> {
  const given: Readonly<Record<CounterName, readonly number[]>> = {
    conversation: idsOf(await listAll(store, "conversations")),
    conversationMessage: idsOf(await listAll(store, "conversationMessages")),
    deviceMessage: idsOf(await listAll(store, "deviceMessages")),
    group: (await listAll(store, "groups")).map(({ groupId }) => groupId),
    message: idsOf([...(await listAll(store, "messages")), ...(await listAll(store, "messageRecalls"))]),
    networkPerson: (await listAll(store, "networkPeople")).map(({ number }) => number),
    token: (await listAll(store, "tokens")).map(({ tokenId }) => tokenId),
    user: (await listAll(store, "users")).map(({ userId }) => userId),
  };
  assert.deepEqual(
    counters.map(({ name }) => name),
    counterNames,
  );
  for (const { name, value } of counters) {
    assert.ok(value >= Math.max(0, ...given[name]), `the counter ${name} would give an id twice`);
  }
}

/** Moving everything as plain records. */
export const recordCases: readonly StorageCase[] = defineCases("records", {
  "what is put comes back as it is, by key, also after a restart": async ({ storage, reopen }) => {
    await fill(storage.records);
    await expectSample(storage.records);
    const again = await reopen();
    await expectSample(again.records);
  },

  "a list goes on after any key": async ({ storage: { records } }) => {
    await fill(records);
    for (const kind of recordKinds) await expectPages(records, kind);
  },

  "putting again changes nothing, in whatever pieces": async ({ storage: { records } }) => {
    await fill(records, 1);
    await fill(records, 2);
    await fill(records);
    await expectSample(records);
  },

  "putting a kind again from any place changes nothing": async ({ storage: { records } }) => {
    for (const kind of recordKinds) {
      await putAll(records, kind, 100);
      await putAll(records, kind, 1);
    }
    await expectSample(records);
  },

  "what differs is put in place of what was there": async ({ storage: { records, users, bucket, teleprinter } }) => {
    await fill(records);
    const [user] = sampleRecords.users;
    const [file] = sampleRecords.files;
    const [, text] = sampleRecords.deviceMessages;
    assert.ok(user !== undefined && file !== undefined && text !== undefined);
    await records.put("users", [{ ...user, ext: "10013" }]);
    await records.put("files", [{ ...file, usedAt: now + 50 }]);
    await records.put("deviceMessages", [{ ...text, delivered: true }]);
    assert.equal((await users.findUserByExt("10013"))?.userId, 1);
    assert.equal(await users.findUserByExt("10001"), null);
    assert.equal((await bucket.findFile(file.md5))?.usedAt, now + 50);
    assert.equal((await bucket.findUploads(3, [file.md5])).length, 1);
    assert.deepEqual(idsOf(await take(teleprinter, {}, keyOfPrinter)), [9]);
  },

  "the verbs find what was put": async ({ storage }) => {
    await fill(storage.records);
    await expectVerbs(storage);
  },

  "history has its places and totals": async ({ storage: { records, messages } }) => {
    await fill(records);
    const page = await messages.page({ groupId: 2, before: 8, limit: 1 });
    assert.deepEqual(
      { ...page, messages: idsOf(page.messages) },
      { messages: [7], newer: 1, older: 1, above: null, newest: 8 },
    );
    const missed = await messages.listSince({ groupIds: [2, 5], after: 1, limit: 10, bytes: 10_000 });
    assert.deepEqual(idsOf(missed ?? []), [2, 7, 8, 9]);
    assert.deepEqual(
      await messages.findNewest([2, 5]),
      new Map([
        [2, 8],
        [5, 9],
      ]),
    );
  },

  "what was open is open once more": async ({ storage }) => {
    await fill(storage.records);
    await expectOpen(storage);
  },

  "no id that was ever given is given again, also after a restart": async ({ storage, reopen }) => {
    await fill(storage.records);
    await expectNextIds(await reopen());
  },

  "an id that was put is not given again, whatever the counters say": async ({ storage }) => {
    for (const kind of recordKinds) if (kind !== "counters") await putAll(storage.records, kind, 100);
    const appended = await storage.users.appendUser(person());
    expectOutcome(appended, "appended");
    assert.equal(appended.user.userId, 13);
    const said = await storage.messages.append(messageIn(2, "next"));
    expectOutcome(said, "appended");
    assert.ok(said.message.id > 14);
  },

  "a counter is never lowered": async ({ storage: { records } }) => {
    await fill(records);
    await records.put("counters", [{ name: "user", value: 1 }]);
    await expectSample(records);
  },

  "what the verbs keep is told, as records and by key": async ({ storage, countsIds }) => {
    for (const { name, run } of everyCall(storage)) {
      if (!/drop|release|take|consume|settle/.test(name)) await run();
    }
    const counts: Partial<Record<RecordKind, number>> = {};
    for (const kind of recordKinds) {
      const records = await listAll(storage.records, kind);
      for (const record of records) parseRecord(kind, record);
      const keys = records.map((record) => keyOf(kind, record));
      assert.deepEqual(keys, keys.toSorted(compareKeys), kind);
      counts[kind] = records.length;
    }
    assert.ok(counts.users === 1 && counts.files === 1 && counts.uploads === 1 && counts.pairings === 1);
    assert.ok(counts.deviceMessages === 1 && counts.messages === 1 && counts.conversationMessages === 2);
    const counters = await listAll(storage.records, "counters");
    if (countsIds) assert.deepEqual(counters, countersOfEveryCall);
    else await expectCovered(storage.records, counters);
  },

  "an empty storage has no records, and has given no ids": async ({ storage: { records } }) => {
    for (const kind of recordKinds) {
      if (kind === "counters") continue;
      assert.deepEqual(await listAll(records, kind), [], kind);
      assert.equal(await records.count(kind), 0, kind);
    }
    const counters = await listAll(records, "counters");
    assert.deepEqual(
      counters,
      sampleRecords.counters.map(({ name }) => ({ name, value: 0 })),
    );
  },

  "what callers do to records afterwards changes nothing": async ({ storage: { records } }) => {
    const scopes = ["chat"];
    const token = { ...sampleRecords.tokens[0], tokenId: 1, userId: 1, digest: "d", scopes, createdAt: now };
    const own = { ...token, name: null, expiresAt: null, revokedAt: null, lastUsedAt: null };
    const putting = records.put("tokens", [own]);
    scopes.push("profile");
    own.digest = "other";
    await putting;
    assert.deepEqual((await listAll(records, "tokens"))[0], { ...own, digest: "d", scopes: ["chat"] });
  },
});
