import { createHash } from "node:crypto";
import { join } from "node:path";
import { createFsBlobs } from "@telex/blobs/fs";
import { recordKinds } from "@telex/core/storage";
import { digestRecords } from "@telex/transfer";
import type { BlobStore, Storage } from "@telex/core";
import type { RecordStore } from "@telex/core/storage";
import { sampleRecords } from "@telex/conformance";
import { createSqliteStorage } from "@telex/storage-sqlite";

async function* bytesOf(bytes: Uint8Array) {
  yield bytes;
}

const hex = (algorithm: "md5" | "sha256", bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest("hex");

/** The bytes of the file of this number. */
const contentOf = (number: number): Buffer => Buffer.from(`file ${number} `.repeat(5000));

/** The number of records in addition to those of the conformance suite. */
export interface Amount {
  readonly messages?: number;
  readonly files?: number;
}

/** Fills an empty storage with records of every kind, and with the bytes of its files. */
export async function fill(
  storage: Storage,
  blobs: BlobStore,
  { messages = 0, files = 0 }: Amount = {},
): Promise<void> {
  const { records } = storage;
  for (const kind of recordKinds) {
    if (kind !== "files") await records.put(kind, sampleRecords[kind]);
    else await records.put("files", await Promise.all(sampleRecords.files.map((file, at) => store(blobs, file, at))));
  }
  const [file] = sampleRecords.files;
  if (file !== undefined) {
    for (let number = 10; number < 10 + files; number += 1) {
      const name = { md5: hex("md5", contentOf(number)), blobId: hex("md5", Buffer.from(`blob ${number}`)) };
      await records.put("files", [await store(blobs, { ...file, ...name }, number)]);
    }
  }
  await fillRoom(storage, messages);
  const bad = Buffer.from("out of service");
  await blobs.put(`${hex("md5", bad)}.quarantine`, bytesOf(bad));
}

async function store<File extends { readonly blobId: string }>(blobs: BlobStore, file: File, number: number) {
  const content = contentOf(number);
  await blobs.put(file.blobId, bytesOf(content));
  return { ...file, sha256: hex("sha256", content), size: content.length };
}

async function fillRoom({ records }: Storage, count: number): Promise<void> {
  const [message] = sampleRecords.messages;
  if (message === undefined) return;
  const all = Array.from({ length: count }, (_, at) => ({ ...message, groupId: 99, seq: at + 1, id: 1000 + at }));
  for (let at = 0; at < count; at += 5000) await records.put("messages", all.slice(at, at + 5000));
}

/** Creates a filled data folder. */
export async function fillFolder(folder: string, amount: Amount = {}): Promise<void> {
  const storage = await createSqliteStorage({ file: join(folder, "telex.db") });
  await fill(storage, createFsBlobs({ directory: join(folder, "blobs") }), amount);
  await storage.close();
}

/** A digest of all records of each kind. */
export async function digestsOf(records: RecordStore): Promise<Record<string, unknown>> {
  const digests: Record<string, unknown> = {};
  for (const kind of recordKinds) digests[kind] = await digestRecords(records, kind);
  return digests;
}

/** The digests of all blobs, by name. */
export async function blobsOf(blobs: BlobStore): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for await (const { blobId } of blobs.list()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await blobs.open(blobId)) ?? []) chunks.push(chunk);
    digests[blobId] = hex("sha256", Buffer.concat(chunks));
  }
  return digests;
}

/** The digests of everything in a data folder. */
export async function contentsOf(folder: string) {
  const storage = await createSqliteStorage({ file: join(folder, "telex.db") });
  try {
    const blobs = await blobsOf(createFsBlobs({ directory: join(folder, "blobs") }));
    return { records: await digestsOf(storage.records), blobs };
  } finally {
    await storage.close();
  }
}

/** The contents of an export: everything except the secret keys of the server. */
export function exportedOf({ records, blobs }: Awaited<ReturnType<typeof contentsOf>>) {
  return { records: Object.entries(records).filter(([kind]) => kind !== "keys"), blobs };
}
