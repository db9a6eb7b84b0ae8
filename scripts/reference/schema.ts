import { z } from "zod";
import { renderSchema, type Schema } from "../../packages/http/src/pages/reference-schema.ts";

/** A schema with the named shapes that it refers to. */
interface Document extends Schema {
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const documents = z.custom<Document>((value) => typeof value === "object" && value !== null);

/** One direction of a contract as JSON schema. */
function documentOf(schema: z.ZodType, io: "input" | "output"): Document {
  return documents.parse(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
}

/** The input or output of an operation, for a reader. */
export interface Shape {
  readonly schema: Schema;
  /** The named shapes in it, by their names. */
  readonly named: ReadonlyMap<string, Schema>;
}

/** The shape of a schema in one direction. */
export function shapeOf(schema: z.ZodType, io: "input" | "output"): Shape {
  const { $defs = {}, ...rest } = documentOf(schema, io);
  return { schema: rest, named: new Map(Object.entries($defs)) };
}

const escapeCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A type on one line. The pages explain once that an id may be a number or its digits. */
const typeOf = (schema: Schema): string =>
  escapeCell(
    renderSchema(schema)
      .replaceAll(/\s+/g, " ")
      .replaceAll(/integer( from \d)? \| string/g, "id")
      .replaceAll("any[]", "list"),
  );

const patternOf = (schema: Schema): string =>
  "pattern" in schema && typeof schema.pattern === "string" ? `Matches \`${escapeCell(schema.pattern)}\`.` : "";

/** The fields of an input as the rows of a table; empty if it has none. */
export function fieldTable({ schema }: Shape): string {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([name, field]) => {
    const given =
      field.default === undefined
        ? required.includes(name)
          ? "required"
          : "optional"
        : `default \`${field.default}\``;
    return `| \`${name}\` | \`${typeOf(field)}\` | ${given} | ${escapeCell(field.description ?? patternOf(field))} |`;
  });
  return rows.length === 0 ? "" : ["| Field | Type | | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`;

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1);

/** A schema as a block of text. */
export const codeBlock = (schema: Schema): string => `\`\`\`text\n${renderSchema(schema)}\n\`\`\``;

/** The text after "Returns": a link if the shape has a name, otherwise a code block. */
export function returned(schema: Schema): string {
  const [own, element] = [nameOf(schema), schema.items === undefined ? undefined : nameOf(schema.items)];
  if (own !== undefined) return ` ${linkTo(own)}.`;
  if (element !== undefined) return ` a list of ${linkTo(element)}.`;
  return schema.type === "null" ? " `null`." : `\n\n${codeBlock(schema)}`;
}
