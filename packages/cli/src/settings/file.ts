import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChatModel } from "@telex/core";
import { messageOf, UsageError } from "../errors/errors.ts";

const names = ["telex.config.ts", "telex.config.mjs", "telex.config.json"];

/** A configuration file. */
export interface ConfigFile {
  /** The path, relative to the current folder. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The models of the key `models`, which is not a setting: only a program can make them. */
  readonly models: ReadonlyMap<string, ChatModel>;
  /** The value of the key `aiTools`, which is not a setting either: undefined if it is missing. */
  readonly aiTools: unknown;
}

const isModel = (value: unknown): value is ChatModel =>
  isRecord(value) && typeof value["reply"] === "function" && typeof value["countTokens"] === "function";

function modelsOf(path: string, models: unknown): ReadonlyMap<string, ChatModel> {
  const entries = isRecord(models) ? Object.entries(models) : [];
  const isRight = models === undefined || (isRecord(models) && !entries.some(([, model]) => !isModel(model)));
  if (isRight) return new Map(entries.flatMap(([name, model]) => (isModel(model) ? [[name, model] as const] : [])));
  throw new UsageError(`"models" in ${path} must be an object of models, such as { claude: createAiSdkModel({ … }) }.`);
}

/**
 * Reads the named file, or the one in the folder; null if there is none.
 * @throws UsageError for a file that is missing, cannot be read or contains no object, and if there are two
 */
export async function readConfigFile(cwd: string, named: string | undefined): Promise<ConfigFile | null> {
  const path = named ?? findIn(cwd);
  if (path === null) return null;
  const full = resolve(cwd, path);
  if (!existsSync(full)) throw new UsageError(`The configuration file ${path} does not exist.`);
  const values = await load(full).catch((error: unknown) => {
    throw new UsageError(`The configuration file ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if (isRecord(values)) {
    const { models, aiTools, ...others } = values;
    return { path: relative(cwd, full) || path, values: others, models: modelsOf(path, models), aiTools };
  }
  const expected = full.endsWith(".json") ? "contain one object" : "export an object as its default";
  throw new UsageError(`The configuration file ${path} must ${expected}, such as { "port": 7700 }.`);
}

function findIn(cwd: string): string | null {
  const existing = names.filter((name) => existsSync(resolve(cwd, name)));
  if (existing.length < 2) return existing[0] ?? null;
  throw new UsageError(`There are ${existing.join(" and ")} here. Keep one, or name one with --config.`);
}

async function load(path: string): Promise<unknown> {
  if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"));
  const loaded: unknown = await import(pathToFileURL(path).href);
  return isRecord(loaded) ? loaded["default"] : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
