import { recordKey, type RecordKind, type Records } from "./records.ts";
import { recordFields } from "./schemas.ts";

/** The values of {@link recordKey} of one record; a flag as 0 or 1. */
export type RecordKey = readonly (string | number)[];

/** The key of a record. */
export const keyOf = <Kind extends RecordKind>(kind: Kind, record: Records[Kind]): RecordKey =>
  recordKey(kind).map((field) => {
    const value: unknown = Reflect.get(record, field);
    if (typeof value === "string" || typeof value === "number") return value;
    if (typeof value === "boolean") return Number(value);
    throw new TypeError(`The field ${field} of ${kind} cannot be part of a key.`);
  });

const firstSurrogate = 0xd800;

/** The order of keys: numbers by size, texts by their bytes in UTF-8. Negative where `a` comes first. */
export function compareKeys(a: RecordKey, b: RecordKey): number {
  for (const [place, left] of a.entries()) {
    const right = b[place];
    const order =
      typeof left === "number" && typeof right === "number" ? left - right : compareTexts(String(left), String(right));
    if (order !== 0) return order;
  }
  return 0;
}

/** Most texts are compared without their bytes: up to the surrogates, code units have the order of UTF-8. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    if (left < firstSurrogate && right < firstSurrogate) return left - right;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a.length - b.length;
}

/** A record as a line of JSON without spaces, its fields in their order: the same for the same record in every storage. */
export const canonicalRecord = <Kind extends RecordKind>(kind: Kind, record: Records[Kind]): string =>
  JSON.stringify(record, [...recordFields(kind)]);
