import { z } from "zod";
import { buildDocument } from "../../packages/http/scripts/document.ts";
import type { ApiDocument } from "../../packages/http/src/pages/reference.ts";
import type { Schema } from "../../packages/http/src/pages/reference-schema.ts";
import { codeBlock, fieldTable, returned } from "./schema.ts";

type Operation = ApiDocument["paths"][string][string];
type Schemas = ApiDocument["components"]["schemas"];

const documents = z.custom<ApiDocument>((value) => typeof value === "object" && value !== null);

const nameOf = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";

/** The names of the shapes that a schema refers to, in the order in which they appear. */
const namesIn = (schema: unknown): string[] =>
  Array.from(JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name);

/** These shapes and those that they refer to. */
function shapesOf(names: readonly string[], schemas: Schemas): ReadonlySet<string> {
  const found = new Set(names);
  // A set that grows during iteration also yields the added elements.
  for (const name of found) for (const inner of namesIn(schemas[name] ?? {})) found.add(inner);
  return found;
}

function answerOf({ responses }: Operation): string[] {
  const content = responses["200"]?.content ?? {};
  return Object.values(content).flatMap((media) => {
    if (media?.itemSchema !== undefined) return [`As server-sent events, each:\n\n${codeBlock(media.itemSchema)}`];
    return media?.schema === undefined ? [] : [`Returns:${returned(media.schema)}`];
  });
}

function statusTable({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description }]) => `| ${status} | ${description} |`);
  return ["| Status | |", "| --- | --- |", ...rows].join("\n");
}

function section(path: string, method: string, operation: Operation, schemas: Schemas): string[] {
  const body = operation.requestBody?.content["application/json"]?.schema ?? {};
  const table = fieldTable({ schema: schemas[nameOf(body)] ?? body, named: new Map() });
  const parts = [`## ${method.toUpperCase()} ${path}`, operation.summary, table];
  return [...parts.filter((part) => part !== ""), ...answerOf(operation), statusTable(operation)];
}

/** The page of the endpoints in the form of OpenAI, from the OpenAPI document. */
export function openAiPage(): string {
  const { paths, components, tags } = documents.parse(buildDocument());
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags: own }]) => own.includes("openai"))
      .map(([method, operation]) => ({ path, method, operation })),
  );
  const { schemas } = components;
  const bodies = operations.map(({ operation }) =>
    nameOf(operation.requestBody?.content["application/json"]?.schema ?? {}),
  );
  const names = shapesOf(namesIn(operations), schemas);
  const shapes = [...names].filter((name) => !bodies.includes(name));
  return [
    "# In the form of OpenAI",
    "The guide: [ai](../guide/ai.md#in-the-form-of-openai).",
    tags.find(({ name }) => name === "openai")?.description ?? "",
    "Who may call it: the holder of a token with the scope `chat`, which is the key.",
    ...operations.flatMap(({ path, method, operation }) => section(path, method, operation, schemas)),
    "## Shapes",
    ...shapes.map((name) => `### ${name}\n\n${codeBlock(schemas[name] ?? {})}`),
  ].join("\n\n");
}
