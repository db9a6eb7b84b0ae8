/** The fields of a JSON schema that the page reads. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly const?: string | number | boolean | undefined;
  readonly default?: string | number | boolean | undefined;
  readonly description?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  /** The schema of the JSON in a text. */
  readonly contentSchema?: Schema | undefined;
}

const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) !== Number.MAX_SAFE_INTEGER;

function bounds(min: number | undefined, max: number | undefined, unit: string): string {
  const [low, high] = [isBound(min) ? String(min) : "", isBound(max) ? String(max) : ""];
  if (low === "" && high === "") return "";
  if (high === "") return ` from ${low}${unit}`;
  return low === "" ? ` to ${high}${unit}` : ` ${low}-${high}${unit}`;
}

function renderObject({ properties = {}, required = [] }: Schema, indent: string): string {
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description === undefined ? "" : `  // ${schema.description}`;
    return `${deeper}${name}${required.includes(name) ? "" : "?"}: ${renderSchema(schema, deeper)}${note}`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function renderScalar({ type = "any", format, minimum, maximum, minLength, maxLength }: Schema): string {
  if (format === "binary") return "bytes";
  const name = typeof type === "string" ? type : type.join(" | ");
  return `${name}${bounds(minimum, maximum, "")}${bounds(minLength, maxLength, " characters")}`;
}

/** A schema as short text, in the style of TypeScript. */
export function renderSchema(schema: Schema, indent = ""): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.contentSchema !== undefined) return `JSON of ${renderSchema(schema.contentSchema, indent)}`;
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return forms.map((inner) => renderSchema(inner, indent)).join(" | ");
  if (schema.items !== undefined) return `${renderSchema(schema.items, indent)}[]`;
  return schema.properties === undefined && schema.type !== "object"
    ? renderScalar(schema)
    : renderObject(schema, indent);
}
