import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput, inputSchema, longestInput } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { operator } from "../src/index.ts";
import { listOperations } from "../src/instance/contracts.ts";
import { createKit } from "./kit.ts";

const operations = listOperations().map(({ name, operation }) => [name, operation] as const);

type JsonSchema = z.core.JSONSchema.JSONSchema;

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

interface Located {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** A schema and all within it. `*` stands for the elements of an array. */
function* walk(schema: JsonSchema, path: readonly string[] = []): Generator<Located> {
  yield { path, schema };
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    if (isSchema(branch)) yield* walk(branch, path);
  if (isSchema(schema.items) && !Array.isArray(schema.items)) yield* walk(schema.items, [...path, "*"]);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (isSchema(inner)) yield* walk(inner, [...path, name]);
  }
}

/** Why nothing bounds a value of this schema, or null. The bytes of a file are counted where they are read. */
function unbounded(schema: JsonSchema): string | null {
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) return null;
  if (schema.enum !== undefined || schema.const !== undefined || schema.format === "binary") return null;
  if (schema.type === undefined) return "anything";
  if (schema.type === "string" && schema.maxLength === undefined) return "string";
  if (schema.type === "array" && schema.maxItems === undefined) return "array";
  const isOpen = isSchema(schema.additionalProperties) || schema.additionalProperties === true;
  return schema.type === "object" && isOpen ? "record" : null;
}

const located = operations.flatMap(([name, operation]) =>
  [...walk(inputSchema(operation))].map(({ path, schema }) => ({ name, operation, path, schema })),
);

/** The least around a value that puts it at a path. */
const at = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => (key === "*" ? [inner] : { [key]: inner }), value);

function issuesOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (cause) {
    return TelexError.is(cause)
      ? (cause.issues ?? []).map(({ path, problem }) => `${path} ${problem}`)
      : [String(cause)];
  }
}

describe("every input", () => {
  it("has a bound for each string, array and record in it", () => {
    expect(located.length).toBeGreaterThan(100);
    const found = located.map(({ name, path, schema }) => [name, ...path, unbounded(schema)]);
    expect(found.filter((one) => one.at(-1) !== null)).toEqual([]);
  });

  it("is refused with one element more than the bound of an array, whatever the elements are", () => {
    const arrays = located.filter(({ schema }) => schema.maxItems !== undefined);
    expect(arrays.length).toBeGreaterThan(4);
    for (const { name, operation, path, schema } of arrays) {
      const tooMany = Array.from({ length: (schema.maxItems ?? 0) + 1 }, () => ({}));
      const expected = `${path.join(".").replaceAll("*", "0")} too_many`;
      const issues = issuesOf(() => parseInput(operation, at(path, tooMany)));
      expect([name, issues]).toEqual([name, expect.arrayContaining([expected])]);
      expect(issues.filter((issue) => issue.startsWith(`${path.join(".").replaceAll("*", "0")}.`))).toEqual([]);
    }
  });

  it("is refused with one character more than the bound of a string", () => {
    const texts = located.filter(({ schema }) => schema.type === "string" && schema.maxLength !== undefined);
    expect(texts.length).toBeGreaterThan(40);
    for (const { name, operation, path, schema } of texts) {
      // A text of digits: ids are texts, too. Where a union tells what it is, all its forms are tried.
      for (const type of path.includes("data") ? ["text", "image", "file", "at", "reply"] : [""]) {
        const segment = { type, data: { [path.at(-1) ?? ""]: "1".repeat((schema.maxLength ?? 0) + 1) } };
        const input = type === "" ? at(path, "1".repeat((schema.maxLength ?? 0) + 1)) : { message: [segment] };
        expect([name, path, operation.input.safeParse(input).success]).toEqual([name, path, false]);
        const where = path.join(".").replaceAll("*", "0");
        if (type === "")
          expect(issuesOf(() => parseInput(operation, input)).map((one) => one.split(" ")[0])).toContain(where);
      }
    }
  });

  it("has arrays that are counted before anything is looked at", () => {
    let looks = 0;
    const element = {
      get type() {
        return (looks += 1);
      },
    };
    const send = operations.find(([name]) => name === "messages.send")?.[1];
    if (send === undefined) throw new Error("messages can be sent");
    const message = Array.from({ length: 100_000 }, () => element);
    expect(issuesOf(() => parseInput(send, { groupId: 1, groupType: 1, message }))).toEqual(["message too_many"]);
    expect(looks).toBe(0);
  });

  it("is refused with the first wrong elements of a list, and with 20 issues at most", () => {
    const send = operations.find(([name]) => name === "messages.send")?.[1];
    if (send === undefined) throw new Error("messages can be sent");
    const wrongIn = (element: unknown) => {
      const message = Array.from({ length: 100 }, () => element);
      return issuesOf(() => parseInput(send, { groupId: 1, groupType: 1, message })).length;
    };
    expect(wrongIn({})).toBe(8);
    const wide = z.object(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, z.int()])));
    expect(issuesOf(() => parseInput({ ...send, input: wide }, {}))).toHaveLength(20);
  });
});

it("the longest input of an operation has room for each character in its longest form", () => {
  const sync = operations.find(([name]) => name === "teleprinter.sync")?.[1];
  if (sync === undefined) throw new Error("devices can sync");
  const input = { deviceId: "d".repeat(64), content: "😀".repeat(2000), nonce: "😀".repeat(64) };
  expect(parseInput(sync, input)).toEqual(input);
  const escaped = JSON.stringify(input).replace(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  expect(longestInput(sync)).toBeGreaterThanOrEqual(escaped.length);
  expect(longestInput(sync)).toBeLessThan(2 * escaped.length);
});

it("one character is enough for the name of a person, of a room and of a device", async () => {
  const { telex, alice } = await createKit();
  const { users, groups } = telex.operator;
  expect(await users.add(operator, { nickname: "茶" })).toMatchObject({ nickname: "茶" });
  const { groupId } = await groups.add(operator, { groupType: 1, name: "茶" });
  expect(await groups.amend(operator, { groupId, name: "水" })).toMatchObject({ name: "水" });
  const device = { deviceId: "1", name: "茶" };
  expect(await telex.teleprinter.register(alice, device)).toMatchObject(device);
});
