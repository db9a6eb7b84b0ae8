import { nextTick } from "@telex/core/transport";
import { z } from "zod";
import { pathFields } from "../routes.ts";
import type { RoutedOperation } from "../endpoints/operations.ts";
import { failuresOf, securityOf, template } from "./describe.ts";
import type { ApiDocument, ApiOperation } from "./reference.ts";
import type { Schema } from "./reference-schema.ts";

type Named = Map<string, Schema>;

const documents = z.custom<Schema & { readonly $defs?: Readonly<Record<string, Schema>> }>(
  (value) => typeof value === "object" && value !== null,
);

/** A zod schema as JSON Schema; named shapes go to the components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", named: Named): Schema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    // Later versions may add fields.
    override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
  });
  const text = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs = {}, ...rest } = documents.parse(JSON.parse(text));
  for (const [name, definition] of Object.entries($defs)) named.set(name, definition);
  return rest;
}

const fieldsOf = (input: z.ZodType): Readonly<Record<string, z.ZodType>> =>
  input instanceof z.ZodObject ? input.shape : {};

type Parameters = NonNullable<ApiOperation["parameters"]>;

/** The fields of an operation that are in its path, and those of its query if it has no body. */
function parametersOf({ operation, route }: RoutedOperation, named: Named): Parameters {
  const inPath = new Set(pathFields(route.path));
  return Object.entries(fieldsOf(operation.input))
    .filter(([name]) => inPath.has(name) || route.input === "query")
    .map(([name, schema]) => ({
      name,
      in: inPath.has(name) ? "path" : "query",
      required: inPath.has(name) || !schema.safeParse(undefined).success,
      schema: schemaOf(schema, "input", named),
    }));
}

function bodyOf({ operation, route }: RoutedOperation, named: Named): Pick<ApiOperation, "requestBody"> {
  if (route.input === "query") return {};
  const media = route.input === "upload" ? "multipart/form-data" : "application/json";
  const inPath = pathFields(route.path);
  const beside = Object.entries(fieldsOf(operation.input)).filter(([name]) => !inPath.includes(name));
  const schema = schemaOf(z.object(Object.fromEntries(beside)), "input", named);
  return { requestBody: { required: true, content: { [media]: { schema } } } };
}

const responseOf = (description: string, schema: object) => ({
  description,
  content: { "application/json": { schema } },
});

function responsesOf(routed: RoutedOperation, named: Named): ApiOperation["responses"] {
  const { operation, route } = routed;
  const { output } = operation;
  const success = z.object({ code: z.literal(200), msg: z.literal("success"), data: output });
  const failure = { $ref: "#/components/schemas/Failure" };
  return {
    200:
      route.response === "stream"
        ? { description: "A download.", content: { "*/*": { schema: schemaOf(output, "output", named) } } }
        : responseOf("Success.", schemaOf(success, "output", named)),
    ...Object.fromEntries(
      failuresOf(routed).map(([status, description]) => [status, responseOf(description, failure)]),
    ),
  };
}

function describe(routed: RoutedOperation, named: Named): ApiOperation {
  const { name, operation, route } = routed;
  return {
    operationId: name,
    tags: [name.split(".", 1)[0] ?? name],
    summary: operation.summary,
    security: securityOf(operation, route),
    parameters: parametersOf(routed, named),
    ...bodyOf(routed, named),
    responses: responsesOf(routed, named),
  };
}

/** The operations of each path, by their methods: one in each tick, because each takes a millisecond, and anyone can ask for the document. */
async function itemsOf(
  routed: readonly RoutedOperation[],
  named: Named,
): Promise<Map<string, ApiDocument["paths"][string]>> {
  const items = new Map<string, ApiDocument["paths"][string]>();
  for (const one of routed) {
    await nextTick();
    const path = template(one.route.path);
    items.set(path, { ...items.get(path), [one.route.method.toLowerCase()]: describe(one, named) });
  }
  return items;
}

/** A document with the operations of plug-ins added. */
export async function withPlugins<D extends ApiDocument>(document: D, routed: readonly RoutedOperation[]): Promise<D> {
  const tags = [...new Set(routed.map(({ name }) => name.split(".", 1)[0] ?? name))];
  const named: Named = new Map();
  const items = await itemsOf(routed, named);
  const schemas = { ...Object.fromEntries(named), ...document.components.schemas };
  return {
    ...document,
    tags: [...document.tags, ...tags.map((name) => ({ name, description: "A plug-in of this installation." }))],
    paths: {
      ...document.paths,
      // A plug-in may add a method to a path of Telex.
      ...Object.fromEntries(Array.from(items, ([path, item]) => [path, { ...document.paths[path], ...item }])),
    },
    components: { ...document.components, schemas },
  };
}
