import { readdirSync, readFileSync } from "node:fs";
import { compare, fill, type Saved } from "./compare.ts";

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

/** A rule of the interface as requests and their required responses. */
export interface HttpVector {
  readonly rule: string;
  readonly groups?: readonly { readonly type: number; readonly name: string; readonly members: ("alice" | "bob")[] }[];
  readonly steps: readonly Step[];
}

const folder = new URL("../vectors/http/", import.meta.url);

const readVector = (name: string): HttpVector =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the traces are part of the project
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as HttpVector;

/** All vectors of `tests/vectors/http`. */
export const httpVectors: readonly HttpVector[] = readdirSync(folder)
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

/** The users, rooms and tokens of a vector, and the access to its server. */
export interface HttpWorld {
  readonly alice: { readonly id: number; readonly token: string };
  readonly bob: { readonly id: number; readonly token: string };
  /** Adds a room with these members, and returns its id. */
  readonly room: (groupType: number, name: string, members: readonly number[]) => Promise<number>;
  /** Issues a token with these scopes. */
  readonly issue: (person: HttpWorld["alice"], scopes: string[]) => Promise<string>;
  /** Sends a request, with a token in the header if one is given. */
  readonly send: (path: string, init?: RequestInit & { readonly token?: string }) => Promise<Response>;
}

async function tokenOf(world: HttpWorld, as: string | undefined): Promise<string | undefined> {
  if (as === undefined) return undefined;
  const [name = "", scope = "chat"] = as.split(":", 2);
  const person = name === "alice" ? world.alice : world.bob;
  return scope === "chat" ? person.token : await world.issue(person, [scope]);
}

async function addRooms(world: HttpWorld, vector: HttpVector): Promise<Saved> {
  const saved: Saved = { alice: world.alice.token, bob: world.bob.token };
  for (const [index, { type, name, members }] of (vector.groups ?? []).entries()) {
    const ids = members.map((member) => world[member].id);
    saved[`group${index + 1}`] = String(await world.room(type, name, ids));
  }
  return saved;
}

/** A response in the form that traces use. */
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

/** Runs one step, and returns the differences from the required response. */
async function run(world: HttpWorld, { as, request, answer }: Step, saved: Saved): Promise<string[]> {
  const token = await tokenOf(world, as);
  const headers = new Headers(request.json === undefined ? {} : { "content-type": "application/json" });
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    headers.set(name, Buffer.from(fill(value, saved), "utf8").toString("latin1"));
  }
  const init = { method: request.method, headers, body: bodyOf(request, saved) ?? null };
  const response = await world.send(fill(request.path, saved), token === undefined ? init : { ...init, token });
  return compare(await answerOf(response, answer), answer, saved, `${request.method} ${request.path}`);
}

/** Runs the steps of a vector, and returns the differences from the required responses. */
export async function playHttp(world: HttpWorld, vector: HttpVector): Promise<string[]> {
  const saved = await addRooms(world, vector);
  const different: string[] = [];
  for (const step of vector.steps) different.push(...(await run(world, step, saved)));
  return different;
}
