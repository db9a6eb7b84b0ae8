import { TelexError } from "@telex/core";
import type { Issue } from "@telex/core/transport";
import { z } from "zod";

/** A value of a field, as its schema expects it. */
type Value = string | number | boolean;
type Values = Readonly<Record<string, Value>>;
type Kind = "number" | "boolean" | "text";

/** The parameters of a query, decoded. */
export type Texts = ReadonlyMap<string, string>;

/** Reads the input of one operation from a query and a path. */
export interface TextReader {
  /**
   * The parameters that the operation knows, and `access_token`; others are ignored, as unknown fields of a body are.
   * @param search the query with its question mark, as it was sent, or `""`
   * @throws TelexError `invalid_request` if it is malformed, or repeats one of them
   */
  parse(search: string): Texts;
  /**
   * The values of the parameters and of the fields of the path.
   * @param params the fields of the path, as they were sent
   * @throws TelexError `invalid_request`
   */
  values(query: Texts, params: Readonly<Record<string, string>>): Values;
}

const canonicalInteger = /^(0|-?[1-9]\d{0,15})$/;

const malformed = (): TelexError => new TelexError("invalid_request", { reason: "query_malformed" });

/** Percent-decoding that refuses invalid UTF-8. */
function decodeText(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch {
    throw malformed();
  }
}

function kindOf(schema: unknown): Kind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return kindOf(schema.unwrap());
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumber) return "number";
  const isNumeric = schema instanceof z.ZodLiteral && [...schema.values].every((value) => typeof value === "number");
  return isNumeric ? "number" : "text";
}

/** The fields of an input, each with the kind of its value. An id stays text: its schema takes decimal digits. */
function kindsOf(input: z.ZodType): ReadonlyMap<string, Kind> {
  const shape = input instanceof z.ZodObject ? input.shape : {};
  return new Map(Object.entries(shape).map(([name, schema]) => [name, kindOf(schema)]));
}

const nothing: Texts = new Map([]);

function readPart(part: string): readonly [name: string, value: string] {
  const plain = part.includes("+") ? part.replaceAll("+", " ") : part;
  const equals = plain.indexOf("=");
  return equals < 0
    ? [decodeText(plain), ""]
    : [decodeText(plain.slice(0, equals)), decodeText(plain.slice(equals + 1))];
}

function readQuery(search: string, isKnown: (name: string) => boolean): Texts {
  const values = new Map<string, string>();
  let at = 1;
  while (at < search.length) {
    const next = search.indexOf("&", at);
    const end = next < 0 ? search.length : next;
    const part = search.slice(at, end);
    at = end + 1;
    if (part === "") continue;
    const [name, value] = readPart(part);
    if (!isKnown(name)) continue;
    if (values.has(name)) throw new TelexError("invalid_request", { reason: "query_repeated", params: { name } });
    values.set(name, value);
  }
  return values;
}

/** The schema rejects a text instead of a boolean. */
function toValue(text: string, kind: Kind): Value {
  if (kind === "number") return Number(text);
  return kind === "boolean" && (text === "true" || text === "false") ? text === "true" : text;
}

function toValues(texts: Texts, kinds: ReadonlyMap<string, Kind>): Values {
  const issues: Issue[] = [];
  const values: Record<string, Value> = {};
  for (const [path, text] of texts) {
    const kind = kinds.get(path);
    if (kind === undefined) continue;
    if (kind === "number" && !canonicalInteger.test(text)) issues.push({ path, problem: "integer", params: {} });
    values[path] = toValue(text, kind);
  }
  if (issues.length > 0) throw new TelexError("invalid_request", { issues });
  return values;
}

/**
 * A reader for the input of an operation: the only place where text becomes numbers and booleans. The kinds of the fields are read from the
 * schema once.
 */
export function createTextReader(input: z.ZodType): TextReader {
  const kinds = kindsOf(input);
  const isKnown = (name: string): boolean => name === "access_token" || kinds.has(name);
  return {
    parse: (search) => (search === "" ? nothing : readQuery(search, isKnown)),
    values(query, params) {
      const path = Object.entries(params).map(([name, text]) => [name, decodeText(text)] as const);
      return toValues(path.length === 0 ? query : new Map([...query, ...path]), kinds);
    },
  };
}
