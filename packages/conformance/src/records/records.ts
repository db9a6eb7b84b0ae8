import assert from "node:assert/strict";
import { compareKeys, keyOf, parseRecord, type RecordKind, recordKinds } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { everyCall, turn } from "./every-verb.ts";
import { settleTurn } from "../ai/settle-turn.ts";
import { expectNextIds, expectOpen, expectVerbs, keyOfPrinter } from "./expect-sample.ts";
import { withOutcome } from "../support/expect.ts";
import { idsOf, messageIn, now, person, take } from "../support/fixtures.ts";
import { sampleRecords } from "./sample-records.ts";
import { listAll, putAll, fill, expectSample, expectPages, countersOfEveryCall, expectCovered } from "./record-kit.ts";

/** Moving everything as plain records. */
export const recordCases: readonly StorageCase[] = defineCases("records", {
  "records come back unchanged, by key, also after a restart": async ({ storage, reopen }) => {
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
    assert.deepEqual(idsOf(await take(teleprinter, {}, keyOfPrinter)), [7, 9]);
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
    assert.deepEqual(Object.fromEntries(await messages.findNewest([2, 5])), { 2: 8, 5: 9 });
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
    assert.equal(withOutcome(await storage.users.appendUser(person()), "appended").user.userId, 13);
    assert.ok(withOutcome(await storage.messages.append(messageIn(2, "next")), "appended").message.id > 14);
  },

  "a counter is never lowered": async ({ storage: { records } }) => {
    await fill(records);
    await records.put("counters", [{ name: "user", value: 1 }]);
    await expectSample(records);
  },

  "data that verbs store is listed as records, by key": async ({ storage, countsIds }) => {
    for (const { name, run } of everyCall(storage)) {
      if (!/drop|release|take|consume|settle/.test(name)) await run();
    }
    await settleTurn(storage.ai, turn);
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
