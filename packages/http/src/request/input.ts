import { TelexError } from "@telex/core";
import type { Issue } from "@telex/core/transport";
import { z } from "zod";

/** Values of fields, as their schema expects them: numbers where it says so, text elsewhere. */
type Values = Readonly<Record<string, string | number>>;

/** The parameters of a query, decoded. */
export type Texts = ReadonlyMap<string, string>;

/** Reads the input of one operation from a query and a path. */
export interface TextReader {
  /**
   * The parameters that the operation knows, and `access_token`; others are ignored, as unknown fields of a body are.
   * @param search the query with its question mark, as it was sent, or `""`
   * @throws TelexError `invalid_request` where it is malformed, or gives one of them more than once
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

/** Percent-decoding that refuses what is not valid UTF-8. */
function decodeText(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch {
    throw malformed();
  }
}

function isNumeric(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isNumeric(schema.unwrap());
  if (schema instanceof z.ZodLiteral) return [...schema.values].every((value) => typeof value === "number");
  return schema instanceof z.ZodNumber;
}

/** The fields of an input, each with true where its value is a number. An id stays text: its schema takes decimal digits. */
function numericFields(input: z.ZodType): ReadonlyMap<string, boolean> {
  const shape = input instanceof z.ZodObject ? input.shape : {};
  return new Map(Object.entries(shape).map(([name, schema]) => [name, isNumeric(schema)]));
}

const nothing: Texts = new Map([]);

function readQuery(search: string, isKnown: (name: string) => boolean): Texts {
  const found = new Map<string, string>();
  let at = 1;
  while (at < search.length) {
    const next = search.indexOf("&", at);
    const end = next < 0 ? search.length : next;
    const part = search.slice(at, end);
    at = end + 1;
    if (part === "") continue;
    const plain = part.includes("+") ? part.replaceAll("+", " ") : part;
    const equals = plain.indexOf("=");
    const name = decodeText(equals < 0 ? plain : plain.slice(0, equals));
    const value = equals < 0 ? "" : decodeText(plain.slice(equals + 1));
    if (!isKnown(name)) continue;
    if (found.has(name)) throw new TelexError("invalid_request", { reason: "query_repeated", params: { name } });
    found.set(name, value);
  }
  return found;
}

function toValues(texts: Texts, numeric: ReadonlyMap<string, boolean>): Values {
  const issues: Issue[] = [];
  const values: Record<string, string | number> = {};
  for (const [path, text] of texts) {
    const isNumber = numeric.get(path);
    if (isNumber === undefined) continue;
    if (isNumber && !canonicalInteger.test(text)) issues.push({ path, problem: "integer", params: {} });
    values[path] = isNumber ? Number(text) : text;
  }
  if (issues.length > 0) throw new TelexError("invalid_request", { issues });
  return values;
}

/**
 * A reader for the input of an operation: the only place where text becomes numbers. Which fields are numbers is read
 * from the schema once.
 */
export function createTextReader(input: z.ZodType): TextReader {
  const numeric = numericFields(input);
  const isKnown = (name: string): boolean => name === "access_token" || numeric.has(name);
  return {
    parse: (search) => (search === "" ? nothing : readQuery(search, isKnown)),
    values(query, params) {
      const path = Object.entries(params).map(([name, text]) => [name, decodeText(text)] as const);
      return toValues(path.length === 0 ? query : new Map([...query, ...path]), numeric);
    },
  };
}
