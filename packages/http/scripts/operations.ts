import { routedOperations } from "../src/endpoints/operations.ts";
import { buildDocument } from "./document.ts";

/** A part of the document. */
type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object at a path of keys; an empty one if it is missing. */
const at = (value: unknown, ...keys: readonly string[]): Json => {
  const inner = keys.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), value);
  return isObject(inner) ? inner : {};
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const optional = (name: string, isRequired: boolean): string => (isRequired ? name : `${name}?`);

/** The fields of an object. An optional one has a question mark. */
function fieldsOf(schema: Json): string {
  const required = listOf(schema["required"]);
  return Object.keys(at(schema, "properties"))
    .map((name) => optional(name, required.includes(name)))
    .join(" ");
}

/** A schema in a few words: the name of a shape, its fields, or its type. */
function nameOf(schema: Json): string {
  const { $ref: ref, type } = schema;
  if (typeof ref === "string") return ref.slice(ref.lastIndexOf("/") + 1);
  if (type === "array") return `${nameOf(at(schema, "items"))}[]`;
  if (Object.keys(at(schema, "properties")).length > 0) return `{${fieldsOf(schema)}}`;
  const alternatives = listOf(schema["anyOf"] ?? schema["oneOf"]);
  if (alternatives.length > 0) return alternatives.map((one) => nameOf(at(one))).join("|");
  if (type !== undefined) return [type].flat().map(String).join("|");
  return JSON.stringify(schema["const"] ?? schema["enum"] ?? {});
}

/** `application/json` has a schema worth naming; other types say enough themselves. */
const mediaOf = (type: string, schema: Json): string =>
  type === "application/json" ? nameOf(schema) : type.replace(/;.*/, "");

/** The parameters of path and query, and the fields of the body. */
function inputOf(operation: Json): string {
  const parameters = listOf(operation["parameters"]).map((one) => {
    const { name, required } = at(one);
    return optional(String(name), required === true);
  });
  const bodies = Object.entries(at(operation, "requestBody", "content")).map(([type, media]) =>
    mediaOf(type, at(media, "schema")),
  );
  return [...parameters, ...(bodies.length === 0 ? [] : [`body ${bodies.join(" or ")}`])].join(" ") || "-";
}

/** The `data` of the envelope, JSON without an envelope, or the media type. */
function outputOf(operation: Json): string {
  const media = Object.entries(at(operation, "responses", "200", "content")).map(([type, content]) => {
    const schema = at(content, "schema");
    return mediaOf(type, "msg" in at(schema, "properties") ? at(schema, "properties", "data") : schema);
  });
  return media.join(" or ");
}

const accesses: ReadonlyMap<string, string> = new Map(
  routedOperations().map(({ name, operation: { access } }) => [
    name,
    typeof access === "string" ? access : `open:${access.family}`,
  ]),
);

function lineOf(method: string, path: string, operation: Json): string {
  const name = String(operation["operationId"]);
  // The endpoints in the form of OpenAI are not routed operations. Their key is a token with the scope `chat`.
  const access = accesses.get(name) ?? "chat";
  return [`${method.toUpperCase()} ${path}`, name, access, inputOf(operation), outputOf(operation)].join(" | ");
}

/**
 * The interface of HTTP as text: a line for each operation, and one for each named shape with its fields. It is committed, so that a
 * review shows each operation and shape that a change of the contracts affects.
 */
export function summarizeOperations(): string {
  const document: unknown = buildDocument();
  const operations = Object.entries(at(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(at(methods)).map(([method, operation]) => lineOf(method, path, at(operation))),
  );
  const shapes = Object.entries(at(document, "components", "schemas")).map(
    ([name, schema]) => `${name}: ${fieldsOf(at(schema)) || nameOf(at(schema))}`,
  );
  return [
    "# Made by `npm run reference` from the contracts. Each operation: method and path, name, access, input, output.",
    ...operations,
    "",
    "# Each shape with its fields. A question mark means that the field may be missing.",
    ...shapes,
    "",
  ].join("\n");
}
