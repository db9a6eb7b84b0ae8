import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createFsBlobs } from "@telex/blobs/fs";
import type { BlobStore, Storage } from "@telex/core";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { anything, valueOf } from "../support/api.ts";
import { md5Of } from "../support/files.ts";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import type { Check, Code, SentFile, World } from "../world.ts";

async function readBlob(blobs: BlobStore, blobId: string): Promise<Uint8Array | null> {
  const stream = await blobs.open(blobId);
  return stream === null ? null : await buffer(stream);
}

/** Finds a record whose bytes are missing or belong to another file. */
async function checkFile(world: World, { bucket }: Storage, blobs: BlobStore, file: SentFile): Promise<void> {
  const record = await bucket.findFile(file.md5);
  const could = file.stored.toString();
  if (!file.stored.observe(record !== null))
    world.problems.push(`upload: ${file.md5} is ${record !== null}, and was ${could}`);
  if (record === null) return;
  const bytes = await readBlob(blobs, record.blobId);
  if (bytes === null) world.problems.push(`upload: the record of ${file.md5} has no bytes`);
  else if (md5Of(bytes) !== file.md5) world.problems.push(`upload: the bytes of ${file.md5} are others`);
}

/** Every visible blob is a complete file that a driver sent. */
async function checkBlobs(world: World, blobs: BlobStore, seen: Set<string>): Promise<void> {
  for await (const { blobId } of blobs.list()) {
    if (seen.has(blobId) || blobId.includes(".")) continue;
    seen.add(blobId);
    const bytes = await readBlob(blobs, blobId);
    if (bytes !== null && !world.files.has(md5Of(bytes))) world.problems.push(`upload: ${blobId} is a part of a file`);
  }
}

async function checkUsers(world: World, { users }: Storage): Promise<void> {
  for (const [ext, isThere] of world.newUsers) {
    const user = await users.findUserByExt(ext);
    const could = isThere.toString();
    if (!isThere.observe(user !== null)) world.problems.push(`user add: ${ext} is ${user !== null}, and was ${could}`);
  }
}

/** Reads the records and the bytes directly, because files without a message cannot be downloaded by everyone. */
export function createDiskCheck(): Check {
  const seen = new Set<string>();
  const checked = new Set<string>();
  return async (world, _life, full) => {
    const storage = await createSqliteStorage({ file: join(world.folder, "telex.db") });
    const blobs = createFsBlobs({ directory: join(world.folder, "blobs") });
    try {
      const files = [...world.files.values()].filter(
        ({ md5, stored }) => full || stored.certain === undefined || !checked.has(md5),
      );
      for (const file of files) await checkFile(world, storage, blobs, file);
      for (const { md5 } of files) checked.add(md5);
      if (full) seen.clear();
      await checkBlobs(world, blobs, seen);
      await checkUsers(world, storage);
    } finally {
      await storage.close();
    }
  };
}

const upload = async (life: Life, { code }: Code, bytes: Uint8Array<ArrayBuffer>) =>
  await life.anybody.upload(`${paths.uploadByCode}/${code}`, bytes, anything);

/** Resolves a code whose upload was not answered: it was spent if its file exists, and is usable if not. */
async function resolve(world: World, life: Life, code: Code): Promise<void> {
  const file = code.sent;
  if (file === null) return;
  const isThere = valueOf(await life.anybody.download(`/download/${file.md5}.png`), "download") !== null;
  const outcome = await upload(life, code, file.bytes);
  const isSpent = outcome.kind === "refused" && outcome.error === "code_used";
  if (isSpent !== isThere) world.problems.push(`upload by code: file ${isThere}, code ${JSON.stringify(outcome)}`);
  code.spent.observe(true);
  file.stored.observe(true);
}

async function checkSpent(world: World, life: Life, code: Code): Promise<void> {
  const outcome = await upload(life, code, new Uint8Array(8));
  if (outcome.kind === "refused" && outcome.error === "code_used") return;
  world.problems.push(`upload by code: a spent code answers ${JSON.stringify(outcome)}`);
}

/** Spent codes stay spent and unspent ones are usable. For uncertain ones, the code and its file agree. */
export const checkCodes: Check = async (world, life, full) => {
  for (const code of world.codes) if (code.spent.certain === undefined) await resolve(world, life, code);
  const spent = world.codes.filter((code) => code.spent.certain === true);
  for (const code of full ? spent : spent.slice(-10)) await checkSpent(world, life, code);
  if (!full) return;
  for (const code of world.codes.filter(({ spent: isSpent }) => isSpent.certain === false)) {
    const bytes = new Uint8Array(Buffer.from(`the last of ${code.code}`));
    const outcome = await upload(life, code, bytes);
    if (outcome.kind !== "done")
      world.problems.push(`upload by code: a code not spent answers ${JSON.stringify(outcome)}`);
    code.spent.observe(true);
  }
};
