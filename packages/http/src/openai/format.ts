import { assertKnown, type Fields, isFields, notSupported } from "./fields.ts";

const knownFields: ReadonlySet<string> = new Set(["type", "name", "description", "schema", "strict"]);

function readSchema(format: unknown, path: string): Fields {
  if (!isFields(format)) throw notSupported(path);
  assertKnown(format, knownFields, `${path}.`);
  const { name, description, schema, strict } = format;
  const text = schema === undefined || schema === null ? undefined : JSON.stringify(schema);
  return { name, description: description ?? undefined, strict, schema: text };
}

/**
 * The format of a reply in our words, not checked yet; undefined for text.
 * @param path the place of the format in the body
 * @param inner the field of the format that holds its schema, if it is not the format itself
 * @throws TelexError `invalid_request` for an unknown format
 */
export function readFormat(format: unknown, path: string, inner?: string): Fields | undefined {
  if (format === undefined || format === null) return undefined;
  const type = isFields(format) ? format["type"] : undefined;
  if (!isFields(format) || (type !== "text" && type !== "json_object" && type !== "json_schema"))
    throw notSupported(path);
  if (type === "text") return undefined;
  if (type === "json_object") return {};
  return inner === undefined ? readSchema(format, path) : readSchema(format[inner], `${path}.${inner}`);
}
