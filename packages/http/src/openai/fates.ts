import { isDeepStrictEqual } from "node:util";
import { type ReplySetting, TelexError } from "@telex/core";
import { assertKnown, type Fields, isFields, notSupported } from "./fields.ts";

/**
 * How Telex treats a field: `read` by Telex itself, `passed` to models that take it, `label` without effect, `ignored` and named in
 * the header, `refused`, or refused because it needs a `kept` response.
 */
type Fate = "read" | "passed" | "label" | "ignored" | "refused" | "kept";

/** A field of the interface of OpenAI. */
export interface FieldFate {
  readonly fate: Fate;
  /** Values that change nothing: accepted for every model, as `null` and a missing field are. */
  readonly defaults: readonly unknown[];
  /** For a field that is passed: the setting of a reply. */
  readonly setting?: ReplySetting;
}

/** All fields of one of the two documents, by their names. */
export type FieldFates = Readonly<Record<string, FieldFate>>;

/** A field that the header names, unless the model takes its setting. */
export interface Hint {
  readonly field: string;
  readonly setting?: ReplySetting | undefined;
}

const of =
  (fate: Fate) =>
  (...defaults: unknown[]): FieldFate => ({ fate, defaults });

export const [read, label, ignored, refused, kept] = [
  of("read")(),
  of("label")(),
  of("ignored"),
  of("refused"),
  of("kept"),
] as const;

export const passed = (setting: ReplySetting, ...defaults: unknown[]): FieldFate => ({
  fate: "passed",
  defaults,
  setting,
});

/** The fields that both documents have. */
export const sharedFates: FieldFates = {
  metadata: label,
  model: read,
  moderation: refused(),
  parallel_tool_calls: passed("parallelToolCalls", true),
  prompt_cache_key: label,
  prompt_cache_options: ignored(),
  prompt_cache_retention: ignored("in_memory"),
  safety_identifier: label,
  service_tier: ignored("auto", "default"),
  stream: read,
  stream_options: read,
  temperature: passed("temperature", 1),
  tool_choice: read,
  tools: read,
  top_logprobs: refused(0),
  top_p: passed("topP", 1),
  user: label,
};

/** True if the value asks for something special. */
const isSet = (value: unknown, { defaults }: FieldFate): boolean =>
  value !== undefined && value !== null && !defaults.some((one) => isDeepStrictEqual(one, value));

/** The fields of `stream_options`. */
export const streamFates: FieldFates = { include_usage: read, include_obfuscation: ignored(false) };

/** A field that refers to an earlier response. */
export const notKept = (field: string): TelexError =>
  new TelexError("invalid_request", { reason: "responses_not_kept", params: { field } });

/** The fields of an object that ask for something special. */
const setFields = (body: Fields, fates: FieldFates): [field: string, fate: FieldFate][] =>
  Object.entries(fates).filter(([field, fate]) => isSet(body[field], fate));

/** The settings of a reply in our words, not checked yet, and the fields that the header may have to name. */
interface ReadSettings {
  readonly settings: Fields;
  readonly hints: readonly Hint[];
}

/**
 * Reads the fields of an object.
 * @param path the place of the object in the body, such as `reasoning.`
 * @throws TelexError `invalid_request` for fields that OpenAI does not define, and those that Telex cannot keep
 */
export function readSettings(fields: Fields, fates: FieldFates, path = ""): ReadSettings {
  assertKnown(fields, new Set(Object.keys(fates)), path);
  const set = setFields(fields, fates);
  for (const [field, { fate }] of set) {
    if (fate === "refused") throw notSupported(path + field);
    if (fate === "kept") throw notKept(path + field);
  }
  const hinted = set.filter(([, { fate }]) => fate === "passed" || fate === "ignored");
  const settings: [string, unknown][] = Object.entries(fates).flatMap(([field, { setting }]) =>
    setting === undefined ? [] : [[setting, fields[field] ?? undefined]],
  );
  return {
    settings: Object.fromEntries(settings),
    hints: hinted.map(([field, { setting }]) => ({ field: path + field, setting })),
  };
}

/**
 * Reads the fields of an object within the body.
 * @throws TelexError `invalid_request`
 */
export function readInner(body: Fields, name: string, fates: FieldFates): ReadSettings {
  const inner = body[name] ?? {};
  if (!isFields(inner)) throw notSupported(name);
  return readSettings(inner, fates, `${name}.`);
}

/** The name of a setting in the interface of OpenAI; other paths as they are. */
export function settingName(path: string, fates: FieldFates): string {
  const match = Object.entries(fates).find(([, { setting }]) => setting === path);
  return match?.[0] ?? path;
}

/** The names that the header contains. */
export const ignoredBy = (hints: readonly Hint[], settings: readonly string[]): string[] =>
  hints.filter(({ setting }) => setting === undefined || !settings.includes(setting)).map(({ field }) => field);
