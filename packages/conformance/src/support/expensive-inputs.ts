import { inputSchema, type Operation } from "@telex/core/contract";

type JsonSchema = ReturnType<typeof inputSchema>;

/** One legal or illegal request that is expensive in one way. */
export interface ExpensiveInput {
  /** The reason why it is expensive. */
  readonly name: string;
  /** JSON. */
  readonly text: string;
}

/** Characters of texts: plain, slow to match, in the longest form, and not allowed. */
const characters = [
  "a",
  "1",
  "-",
  String.raw`\u0061`,
  String.raw`\ud83d\ude00`,
  "\u4e2d",
  String.raw`\"`,
  String.raw`\ud800`,
];

const repeated = (part: string, bytes: number): string => part.repeat(Math.max(1, Math.floor(bytes / part.length)));

const listOf = (element: string, count: number): string =>
  `[${`${element},`.repeat(Math.max(0, count - 1))}${element}]`;

const nested = (open: string, inner: string, close: string, bytes: number): string => {
  const depth = Math.floor(bytes / (open.length + close.length));
  return `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
};

const elements = ["{}", "[]", "1", "1.5", "null", '""', '{"id":1.0}', '{"type":"text"}', '{"type":"x","data":{}}'];

const manyFields = (bytes: number): string =>
  `{${Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"f${index}":1.5`).join(",")}}`;

/** Values of about `bytes` bytes that are the largest, deepest or most numerous of their kind, whatever is expected. */
function* expensiveValues(bytes: number): Generator<ExpensiveInput> {
  for (const one of characters) yield { name: `a text of ${one}`, text: `"${repeated(one, bytes)}"` };
  for (const one of elements)
    yield { name: `a list of ${one}`, text: listOf(one, Math.floor(bytes / (one.length + 1))) };
  yield { name: "deep lists", text: nested("[", "1.5", "]", bytes) };
  yield { name: "deep objects", text: nested('{"id":', "1.0", "}", bytes) };
  yield { name: "many fields", text: manyFields(bytes) };
  yield { name: "many digits", text: repeated("1", bytes) };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).filter(isSchema);

/** The longest value that a schema takes, within `bytes`. Of a union the branch is chosen by `variant`. */
function longest(given: JsonSchema, bytes: number, variant: number): string {
  const branches = branchesOf(given);
  const schema = branches[variant % branches.length] ?? given;
  if (schema !== given) return longest(schema, bytes, variant);
  if (schema.enum !== undefined) return JSON.stringify(schema.enum[0]);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "string") {
    const unit = characters[variant % characters.length] ?? "a";
    return `"${unit.repeat(Math.min(schema.maxLength ?? bytes, Math.floor(bytes / unit.length)))}"`;
  }
  if (isSchema(schema.items) && !Array.isArray(schema.items))
    return longestList(schema.items, schema.maxItems ?? bytes, bytes, variant);
  if (schema.type === "object") return longestObject(schema, bytes, variant);
  return schema.type === "null" ? "null" : String(schema.maximum ?? 1);
}

function longestList(items: JsonSchema, maxItems: number, bytes: number, variant: number): string {
  const least = longest(items, 1, variant).length + 1;
  const count = Math.max(1, Math.min(maxItems, Math.floor(bytes / least)));
  return listOf(longest(items, Math.floor(bytes / count), variant), count);
}

function longestObject({ properties = {} }: JsonSchema, bytes: number, variant: number): string {
  const fields = Object.entries(properties).filter(([, schema]) => isSchema(schema));
  const share = Math.floor(bytes / Math.max(1, fields.length));
  return `{${fields.map(([name, schema]) => `"${name}":${isSchema(schema) ? longest(schema, share, variant) : 0}`).join(",")}}`;
}

/** Lists of as many elements as are looked at, all of them wrong. */
function* wrongElements(schema: JsonSchema): Generator<ExpensiveInput> {
  for (const { maxItems } of branchesOf(schema)) {
    if (maxItems === undefined) continue;
    for (const one of elements) yield { name: `${maxItems} of ${one}`, text: listOf(one, maxItems) };
  }
}

/**
 * The most expensive requests of an operation that can be made from its contract alone: each field the longest, and each
 * field, also one that the operation does not know, with the largest, deepest and most numerous values.
 * @param operation an operation whose input is JSON
 * @param bytes about how large a request may be
 */
export function* expensiveInputs(operation: Operation, bytes: number): Generator<ExpensiveInput> {
  const schema = inputSchema(operation);
  for (let variant = 0; variant < characters.length; variant += 1) {
    yield { name: `the longest values, ${variant}`, text: longest(schema, bytes, variant) };
  }
  const properties = { ...schema.properties, unknown: {} };
  for (const [field, inner] of Object.entries(properties)) {
    if (!isSchema(inner)) continue;
    for (const { name, text } of [...expensiveValues(bytes), ...wrongElements(inner)])
      yield { name: `${field}: ${name}`, text: `{"${field}":${text}}` };
  }
}
