import { shortText } from "@telex/core/contract";
import { z } from "zod";
import { shortened } from "./fields.ts";

/** An ID as the network writes it: a number in OneBot 11, a string in 12. Implementations mix both. */
export const id = z.union([shortText(128, 1), z.number().transform(String)]);

/** An object with any fields. None of them is read or copied: there may be very many. */
export const fieldsSchema = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "must be an object" },
);

/** An id of a message, null for values that mean "no id". Other negative ids are real. */
export const idOfMessage = z
  .union([shortText(128), z.number().transform(String)])
  .transform((value) => (value === "" || value === "0" || value === "-1" ? null : value));

/** One part of a message, in both versions. Its fields depend on the type, and an implementation may leave out any of them. */
export const segment = z.object({
  type: shortened(64),
  data: fieldsSchema.nullish().transform((data) => data ?? {}),
});

/** A part of a message as an implementation sends or expects it. */
export type Segment = z.output<typeof segment>;

/** The reason why an action failed, as the implementation states it. */
const failureText = shortened(1000).optional();

const answerFrame = z.object({
  status: z.enum(["ok", "async", "failed"]),
  retcode: z.number().default(0),
  data: z.unknown(),
  message: failureText,
  wording: failureText,
  msg: failureText,
  echo: shortText(128),
});

/** The outcome of an action. */
export type Answer =
  | { readonly outcome: "ok"; readonly data: unknown }
  | { readonly outcome: "failed"; readonly retcode: number; readonly text: string }
  /** The frame was written, and no answer came. */
  | { readonly outcome: "lost" }
  /** The account has no connection for actions, and Telex wrote nothing. */
  | { readonly outcome: "unsent" };

/** An answer and the action that it belongs to; null for every other frame. */
export function readAnswer(frame: unknown): { readonly echo: string; readonly answer: Answer } | null {
  const { data: read } = answerFrame.safeParse(frame);
  if (read === undefined) return null;
  const { status, retcode, data, echo, message, wording, msg } = read;
  if (status !== "failed") return { echo, answer: { outcome: "ok", data } };
  const text = [wording, message, msg].find((one) => one !== undefined && one !== "") ?? `retcode ${retcode}`;
  return { echo, answer: { outcome: "failed", retcode, text } };
}

const offlineCodes: ReadonlySet<number> = new Set([10_102]);
const unsupportedCodes: ReadonlySet<number> = new Set([10_002, 10_005, 10_006, 10_007, 1400, 1404]);

/** The meaning of a failure's code: the account is signed out, the action or a part is not supported, or the network refuses. */
export function meaningOf(retcode: number): "offline" | "unsupported" | "refused" {
  if (offlineCodes.has(retcode)) return "offline";
  return unsupportedCodes.has(retcode) ? "unsupported" : "refused";
}

/** An action of OneBot and its parameters. */
export interface Action {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Asks an implementation for something. Resolves in bounded time. */
export type Ask = (action: Action, signal?: AbortSignal) => Promise<Answer>;

/** Maximum entries of an answer that are read. No network has larger groups. */
const maxEntries = 10_000;
/** Invalid entries after which the others are not read. */
const maxUnfit = 100;

/**
 * Reads the first 10,000 entries of a list.
 * @param read returns null for an invalid entry
 */
export function readList<T>(data: unknown, read: (entry: unknown) => T | null): T[] {
  const objects: T[] = [];
  let unfit = 0;
  for (const entry of Array.isArray(data) ? data.slice(0, maxEntries) : []) {
    const one = read(entry);
    if (one === null) unfit += 1;
    else objects.push(one);
    if (unfit >= maxUnfit) break;
  }
  return objects;
}

/** The valid entries of a list. */
export const listOf = <Schema extends z.ZodType>(entry: Schema, data: unknown): z.output<Schema>[] =>
  readList(data, (one) => entry.safeParse(one).data ?? null);

/** The value of a JSON text; undefined for any other text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
