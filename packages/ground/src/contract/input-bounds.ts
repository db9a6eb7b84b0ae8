import { z } from "zod";
import type { Operation } from "./operation.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;

const isSchema = (schema: unknown): schema is JsonSchema => typeof schema === "object" && schema !== null;

/** The JSON schema of the input of an operation, without references. A file has the format `binary`. */
export function inputSchema({ input }: Operation): JsonSchema {
  const { $defs = {}, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const inline = (_name: string, value: unknown): unknown =>
    isSchema(value) && value.$ref !== undefined ? $defs[value.$ref.slice("#/$defs/".length)] : value;
  return z.custom<JsonSchema>(isSchema).parse(JSON.parse(JSON.stringify(schema), inline));
}

/** The branches of a union; none for any other schema. */
const branchesOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] => anyOf ?? oneOf ?? [];

/** The schema of every element of an array; null for any other schema. */
const itemsOf = ({ items }: JsonSchema): JsonSchema | null => (isSchema(items) && !Array.isArray(items) ? items : null);

const propertiesOf = ({ properties = {} }: JsonSchema): (readonly [name: string, schema: JsonSchema])[] =>
  Object.entries(properties).flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema] as const] : []));

/** `\ud83d\ude00`: the longest way to write a code point. */
const codePointBytes = 12;
/** Enough for any number in JSON. Additional zeros after the point count against the overhead. */
const numberBytes = 24;

function bytesOfValues(values: readonly unknown[]): number {
  return Math.max(...values.map((value) => codePointBytes * String(value).length + 2));
}

function bytesOfObject(properties: readonly (readonly [name: string, schema: JsonSchema])[]): number {
  return properties.reduce((sum, [name, schema]) => sum + codePointBytes * name.length + 4 + bytesOf(schema), 2);
}

function bytesOf(schema: JsonSchema): number {
  const branches = branchesOf(schema);
  if (branches.length > 0) return Math.max(...branches.map(bytesOf));
  if (schema.enum !== undefined) return bytesOfValues(schema.enum);
  if (schema.const !== undefined) return bytesOfValues([schema.const]);
  const items = itemsOf(schema);
  if (items !== null) return 2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (bytesOf(items) + 1);
  if (schema.type === "string") return 2 + codePointBytes * (schema.maxLength ?? Number.POSITIVE_INFINITY);
  if (schema.type === "object") return bytesOfObject(propertiesOf(schema));
  return schema.type === undefined ? Number.POSITIVE_INFINITY : numberBytes;
}

/**
 * The bytes of the longest input of an operation as JSON, without white space and unknown fields; infinite if a part of it
 * has no limit.
 */
export const longestInput = (operation: Operation): number => bytesOf(inputSchema(operation));
