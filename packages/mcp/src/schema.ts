import { z } from "zod";
import type { Tool } from "./tools.ts";

/** Arguments of a tool. The operation checks them: this package has no rules. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool with the schema that clients see. */
export interface ReadyTool extends Tool {
  readonly schema: z.ZodType<Arguments, Arguments>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The input of an operation in JSON Schema, without the fields that a tool leaves out. */
function describe({ operation, without = [], hasVia = false }: Tool): Record<string, unknown> {
  const schema: Record<string, unknown> = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" });
  const left = new Set([...without, ...(hasVia ? ["via"] : [])]);
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const shown = Object.entries(properties).filter(([name]) => !left.has(name));
  return { ...schema, properties: Object.fromEntries(shown), additionalProperties: false };
}

/** Makes the schemas of tools, once for all requests. */
export const readyTools = (tools: readonly Tool[]): readonly ReadyTool[] =>
  tools.map((tool) => ({ ...tool, schema: z.looseObject({}).meta(describe(tool)) }));
