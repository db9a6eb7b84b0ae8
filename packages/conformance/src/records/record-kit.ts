import assert from "node:assert/strict";
import {
  type CounterName,
  counterNames,
  keyOf,
  type RecordKind,
  recordKinds,
  type Records,
  type RecordStore,
} from "@telex/core/storage";
import { fieldsOf } from "../support/expect.ts";
import { idsOf } from "../support/fixtures.ts";
import { sampleRecords } from "./sample-records.ts";

export const listAll = <Kind extends RecordKind>(store: RecordStore, kind: Kind): Promise<readonly Records[Kind][]> =>
  store.list(kind, { after: null, limit: 10_000 });

/** Puts the records of a kind, at most `size` in one call. */
export async function putAll(store: RecordStore, kind: RecordKind, size: number): Promise<void> {
  const records: readonly Records[RecordKind][] = sampleRecords[kind];
  for (let at = 0; at < records.length; at += size) await store.put(kind, records.slice(at, at + size));
}

export async function fill(store: RecordStore, size = 100): Promise<void> {
  for (const kind of recordKinds) await putAll(store, kind, size);
}

export async function expectSample(store: RecordStore): Promise<void> {
  for (const kind of recordKinds) {
    assert.deepEqual(await listAll(store, kind), sampleRecords[kind], kind);
    assert.equal(await store.count(kind), sampleRecords[kind].length, kind);
  }
}

export async function expectPages(store: RecordStore, kind: RecordKind): Promise<void> {
  const all = await listAll(store, kind);
  for (const [at, record] of all.entries()) {
    const after = keyOf(kind, record);
    assert.deepEqual(await store.list(kind, { after, limit: 100 }), all.slice(at + 1), kind);
    assert.deepEqual(await store.list(kind, { after, limit: 1 }), all.slice(at + 1, at + 2), kind);
  }
}

/** The counters after one call of every verb, if ids are 1, 2, 3 …. */
export const countersOfEveryCall: readonly Records["counters"][] = [
  { name: "conversation", value: 1 },
  { name: "conversationMessage", value: 2 },
  { name: "deviceMessage", value: 1 },
  { name: "group", value: 3 },
  { name: "message", value: 2 },
  { name: "networkPerson", value: 1 },
  { name: "token", value: 1 },
  { name: "user", value: 1 },
];

/** No counter is below an id that was given. */
export async function expectCovered(store: RecordStore, counters: readonly Records["counters"][]): Promise<void> {
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
  assert.deepEqual(fieldsOf(counters, "name"), counterNames);
  for (const { name, value } of counters)
    assert.ok(value >= Math.max(0, ...given[name]), `the counter ${name} would give an id twice`);
}
