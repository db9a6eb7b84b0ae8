import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { recordKinds } from "@telex/core/storage";
import type { TransferReport } from "@telex/transfer";
import { codeOf, Failure } from "../errors/errors.ts";
import { fieldOf, textOf } from "../input/unknown.ts";
import { writeDurably } from "./durable.ts";
import type { NdjsonRecords } from "./ndjson.ts";

const format = "telex-export";
const version = 1;

const manifestOf = (folder: string): string => join(folder, "manifest.json");

async function read(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(manifestOf(folder), "utf8"));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null;
    throw new Failure("export_damaged", `${manifestOf(folder)} cannot be read.`, { cause });
  }
}

/** True for the folder of a complete export. */
export const hasManifest = async (folder: string): Promise<boolean> => (await read(folder)) !== null;

/** Marks an export as complete. Call it last. */
export async function writeManifest(folder: string, { records, files }: TransferReport): Promise<void> {
  const manifest = { format, version, createdAt: new Date().toISOString(), records, files };
  await writeDurably(manifestOf(folder), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The SHA-256 of a file in hexadecimal digits, or of no bytes if the file does not exist. */
async function digestFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(path);
    for await (const chunk of chunks) hash.update(chunk);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return hash.digest("hex");
}

/**
 * Rejects a folder that is not a complete export, or whose files of records were changed. Files of uploads are
 * checked when they are read.
 * @throws Failure `export_missing`, `export_unknown`, `export_damaged`
 */
export async function assertExport(folder: string, records: NdjsonRecords): Promise<void> {
  const manifest = await read(folder);
  if (manifest === null)
    throw new Failure("export_missing", `${folder} is not a complete export: ${manifestOf(folder)} is missing.`);
  if (fieldOf(manifest, "format") !== format || fieldOf(manifest, "version") !== version)
    throw new Failure("export_unknown", `${manifestOf(folder)} was not written by this version of Telex.`);
  for (const kind of recordKinds) {
    const path = records.fileOf(kind);
    const expected = textOf(fieldOf(fieldOf(manifest, "records"), kind), "sha256", "");
    if ((await digestFile(path)) !== expected)
      throw new Failure("export_damaged", `${path} was changed: its SHA-256 is not the one in the manifest.`);
  }
}
