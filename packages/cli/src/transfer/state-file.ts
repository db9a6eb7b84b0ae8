import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { recordKinds } from "@telex/core/storage";
import type { RecordKey } from "@telex/core/storage";
import type { TransferLog, TransferState } from "@telex/transfer";
import { Failure } from "../errors/errors.ts";
import { fieldOf, jsonOf, textOf } from "../input/unknown.ts";
import { readIfThere, syncFolder, writeDurably } from "./durable.ts";

/** The file next to a database that marks a transfer into it as incomplete. */
export const stateFileOf = (database: string): string => `${database}.transfer`;

/** The state of a transfer as a text. */
export const createStateText = (
  name: string,
  { load, save }: { readonly load: () => Promise<string | null>; readonly save: (text: string) => Promise<void> },
): TransferLog => ({
  async load() {
    const text = await load();
    return text === null || text === "" ? null : readState(name, text);
  },
  save: async (state) => await save(JSON.stringify(state)),
});

/** The state of a transfer in a file. */
interface StateFile extends TransferLog {
  /** Marks the transfer as begun, before its target exists: no command opens a target that is not filled. */
  begin(): Promise<void>;
  /** Marks the transfer as ended. */
  remove(): Promise<void>;
}

export const createStateFile = (path: string): StateFile => ({
  ...createStateText(path, {
    load: async () => await readIfThere(path),
    save: async (text) => await writeDurably(path, text),
  }),
  begin: async () => await writeDurably(path, ""),
  async remove() {
    await rm(path, { force: true });
    await syncFolder(dirname(path));
  },
});

function readState(path: string, text: string): TransferState {
  const state = jsonOf(text);
  const source = textOf(state, "source", "");
  const named = fieldOf(state, "kind");
  const kind = named === null ? null : recordKinds.find((name) => name === named);
  if (source !== "" && kind !== undefined) return { source, kind, after: readKey(fieldOf(state, "after")) };
  throw new Failure("transfer_unreadable", `${path} is not the state of a transfer. Start again with an empty target.`);
}

function readKey(value: unknown): RecordKey | null {
  if (!Array.isArray(value)) return null;
  return value.map((part: unknown) => (typeof part === "number" ? part : String(part)));
}
