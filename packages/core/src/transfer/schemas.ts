import { z } from "zod";
import { TransferError } from "./error.ts";
import { descriptions, type RecordKind, type Records } from "./records.ts";

const readers: { readonly [Kind in RecordKind]: { readonly schema: z.ZodType<Records[Kind]> } } = descriptions;

/** All fields of a kind, in the order in which they are written. */
export const recordFields = (kind: RecordKind): readonly string[] => Object.keys(descriptions[kind].schema.shape);

/** The values of fields that records of earlier versions lack. */
export const recordDefaults = (kind: RecordKind): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries<z.ZodType>(descriptions[kind].schema.shape).flatMap(([field, type]) =>
      type instanceof z.ZodDefault ? [[field, type.def.defaultValue] as const] : [],
    ),
  );

/** The form of a field, for a store without flags and lists. */
export type RecordForm = "flag" | "texts" | "plain";

function formOf(type: unknown): RecordForm {
  if (type instanceof z.ZodReadonly || type instanceof z.ZodDefault) return formOf(type.unwrap());
  if (type instanceof z.ZodBoolean) return "flag";
  return type instanceof z.ZodArray ? "texts" : "plain";
}

/** The form of each field of a kind, in the order in which they are written. */
export const recordForms = (kind: RecordKind): ReadonlyMap<string, RecordForm> =>
  new Map(Object.entries(descriptions[kind].schema.shape).map(([field, type]) => [field, formOf(type)]));

/**
 * Reads a record of a kind, with no field missing and none too many. Only fields that earlier versions did not have may be missing.
 * @throws TransferError `invalid_record`, with the path of the wrong field
 */
export function parseRecord<Kind extends RecordKind>(kind: Kind, value: unknown): Records[Kind] {
  const parsed = readers[kind].schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new TransferError("invalid_record", `A record of ${kind} is not one${where}: ${issue?.message ?? "unknown"}.`);
}
