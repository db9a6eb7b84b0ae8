import { z } from "zod";

export type Schema = Readonly<Record<string, unknown>>;

export type Named = Map<string, unknown>;

export const pointer = (...names: readonly string[]): Schema => ({
  $ref: `#/${names.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`,
});

const fieldsOf = z.record(z.string(), z.unknown());

/** A zod schema as JSON Schema; named shapes go to the components. */
export function schemaOf(schema: z.ZodType, io: "input" | "output", named: Named): Schema {
  const text = JSON.stringify(
    z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      // Later versions may add fields.
      override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
    }),
  );
  const document = fieldsOf.parse(JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')));
  const { $schema: _, $defs = {}, id: __, ...rest } = document;
  for (const [name, definition] of Object.entries(fieldsOf.parse($defs))) named.set(name, definition);
  return rest;
}

export const identifier = {
  type: ["string", "number", "null"],
  description: "Names the command: its result carries the same one.",
};

export const objectOf = (properties: Schema, required: readonly string[]): Schema => ({
  type: "object",
  properties,
  required,
});
