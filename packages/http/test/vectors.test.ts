import { readdirSync, readFileSync } from "node:fs";
import { operator } from "@telex/core";
import { groupTypes } from "@telex/core/storage";
import { expect, it } from "vitest";
import { overBothTransports, type Setup } from "./setup.ts";
import { compare, fill, type Saved } from "./vectors.ts";

interface Part {
  readonly field: string;
  readonly value?: string;
  readonly name?: string;
  readonly type?: string;
  readonly base64?: string;
}

interface Step {
  readonly as?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly json?: unknown;
    readonly text?: string;
    readonly base64?: string;
    readonly form?: readonly Part[];
  };
  readonly answer: {
    readonly status: number;
    readonly headers?: Record<string, unknown>;
    readonly json?: unknown;
    readonly text?: unknown;
    readonly base64?: string;
  };
}

interface Vector {
  readonly rule: string;
  readonly groups?: readonly { readonly type: number; readonly name: string; readonly members: ("alice" | "bob")[] }[];
  readonly steps: readonly Step[];
}

const folder = new URL("../../../spec/vectors/http/", import.meta.url);

const readVector = (name: string): Vector =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the traces are part of the project
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Vector;

const vectors = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map(readVector);

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64, "base64"));

function bodyOf({ json, text, base64, form }: Step["request"], saved: Saved): RequestInit["body"] {
  if (json !== undefined) return fill(JSON.stringify(json), saved);
  if (base64 !== undefined) return bytesOf(base64);
  if (form === undefined) return text;
  const data = new FormData();
  for (const part of form) {
    if (part.value !== undefined) data.set(part.field, part.value);
    else data.set(part.field, new File([bytesOf(part.base64 ?? "")], part.name ?? "", { type: part.type ?? "" }));
  }
  return data;
}

async function tokenOf(given: Setup, as: string | undefined): Promise<string | undefined> {
  if (as === undefined) return undefined;
  const [name = "", scope = "chat"] = as.split(":", 2);
  const person = name === "alice" ? given.alice : given.bob;
  return scope === "chat" ? person.token : await given.issue(person, [scope]);
}

async function addGroups(given: Setup, vector: Vector): Promise<Saved> {
  const saved: Saved = { alice: given.alice.token, bob: given.bob.token };
  for (const [index, { type, name, members }] of (vector.groups ?? []).entries()) {
    const groupType = Object.values(groupTypes).find((known) => known === type);
    if (groupType === undefined) throw new TypeError(`unknown group type ${type}`);
    const ids = members.map((member) => given[member].id);
    const { groupId } = await given.telex.operator.groups.add(operator, { groupType, name, members: ids });
    saved[`group${index + 1}`] = String(groupId);
  }
  return saved;
}

/** What an answer was, in the shape in which traces write it. */
async function answerOf(response: Response, expected: Step["answer"]): Promise<Step["answer"]> {
  const got = Buffer.from(await response.arrayBuffer());
  const text = got.toString("utf8");
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(expected.json === undefined ? { text } : { json: JSON.parse(text) }),
    base64: got.toString("base64"),
  };
}

/** Takes one step and tells where its answer differs. */
async function run(given: Setup, { as, request, answer }: Step, saved: Saved): Promise<string[]> {
  const token = await tokenOf(given, as);
  const headers = new Headers(request.json === undefined ? {} : { "content-type": "application/json" });
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    headers.set(name, Buffer.from(fill(value, saved), "utf8").toString("latin1"));
  }
  const init = { method: request.method, headers, body: bodyOf(request, saved) ?? null };
  const response = await given.send(fill(request.path, saved), token === undefined ? init : { ...init, token });
  return compare(await answerOf(response, answer), answer, saved, `${request.method} ${request.path}`);
}

overBothTransports("what the interface says", (open) => {
  it.each(vectors)("$rule", async (vector) => {
    const given = await open();
    const saved = await addGroups(given, vector);
    for (const step of vector.steps) expect(await run(given, step, saved)).toEqual([]);
    expect(given.log).toEqual([]);
  });
});
