import { readdirSync, readFileSync } from "node:fs";
import type { Limits } from "@telex/core";

/** The form of the files, which their README describes. */
export interface WsVector {
  readonly rule: string;
  readonly given: {
    readonly users: Readonly<Record<string, { readonly scopes?: readonly string[] }>>;
    readonly rooms: Readonly<Record<string, { readonly groupType: number; readonly members: readonly string[] }>>;
    readonly limits?: Partial<Limits> & { readonly frameSize?: number };
  };
  readonly steps: readonly Step[];
}

type Step =
  | {
      readonly open: string;
      readonly user?: string;
      readonly token?: string;
      readonly query?: string;
      readonly protocols?: readonly string[];
    }
  | { readonly send: string; readonly json?: unknown; readonly text?: string; readonly binary?: string }
  | { readonly receive: string; readonly json?: unknown; readonly text?: string }
  | { readonly close: string }
  | { readonly closed: string; readonly code: number };

const folder = new URL("../vectors/ws/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const readVector = (name: string): WsVector =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the README of the files describes this form
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as WsVector;

type Names = Map<string, number>;

const idOf = (names: Names, name: string): number => {
  const id = names.get(name);
  if (id === undefined) throw new Error(`The trace names nothing "${name}".`);
  return id;
};

const anything: Readonly<Record<string, (value: unknown) => boolean>> = {
  "{{integer}}": Number.isSafeInteger,
  "{{text}}": (value) => typeof value === "string",
  "{{time}}": (value) => typeof value === "number" && Number.isSafeInteger(value) && value > 1e12,
};

function fillText(text: string, names: Names): string | number {
  const [, whole] = /^\{\{(\w+)\}\}$/.exec(text) ?? [];
  if (whole !== undefined) return idOf(names, whole);
  return text.replace(/\{\{(\w+)(?::text)?\}\}/g, (_placeholder, name: string) => String(idOf(names, name)));
}

/** Replaces names in a value by ids. */
function fill(value: unknown, names: Names): unknown {
  if (typeof value === "string") return value in anything || value.startsWith("{{id=") ? value : fillText(value, names);
  if (Array.isArray(value)) return value.map((one: unknown) => fill(one, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, names)]));
}

/** The expected value, with the received value at each place where anything is allowed. */
function settle(expected: unknown, received: unknown, names: Names): unknown {
  if (typeof expected === "string") {
    if (anything[expected]?.(received) === true) return received;
    const [, name] = /^\{\{id=(\w+)\}\}$/.exec(expected) ?? [];
    if (name === undefined || typeof received !== "number") return expected;
    names.set(name, received);
    return received;
  }
  if (typeof expected !== "object" || expected === null || Array.isArray(expected)) return expected;
  const inner: unknown = received;
  return Object.fromEntries(
    Object.entries(expected).map(([key, one]) => {
      const other: unknown = typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
      return [key, settle(one, other, names)];
    }),
  );
}

/** The received and the expected result of a step. */
export type Outcome = readonly [received: unknown, expected: unknown];

/** A connection that keeps received frames until they are taken. */
interface Client {
  readonly socket: { send(data: string | Buffer): void };
  readonly nextText: () => Promise<string>;
  readonly close: () => Promise<unknown>;
  readonly closed: Promise<number>;
}

interface Person {
  readonly id: number;
  readonly token: string;
}

/** The server of a vector. */
export interface WsWorld<P extends Person = Person> {
  /** Adds a user with a token. */
  readonly user: (nickname: string, scopes?: readonly string[]) => Promise<P>;
  /** Adds a room, and returns its id. */
  readonly group: (members: readonly P[], groupType: number) => Promise<number>;
  /** Connects to the chat rooms. `query` begins with `?`, or is empty. */
  readonly open: (token: string, query: string, protocols?: readonly string[]) => Promise<Client>;
}

/** Runs the steps of a vector. */
export async function playWs<P extends Person>(
  { user, group, open }: WsWorld<P>,
  { given, steps }: WsVector,
): Promise<readonly Outcome[]> {
  const names: Names = new Map();
  const people = new Map<string, P>();
  const clients = new Map<string, Client>();
  const personOf = (name: string) => {
    const person = people.get(name);
    if (person === undefined) throw new Error(`The trace has no user "${name}".`);
    return person;
  };
  const clientOf = (name: string): Client => {
    const client = clients.get(name);
    if (client === undefined) throw new Error(`The trace has no connection "${name}".`);
    return client;
  };
  for (const [name, { scopes }] of Object.entries(given.users)) {
    people.set(name, await user(name, scopes));
    names.set(name, personOf(name).id);
  }
  for (const [name, { groupType, members }] of Object.entries(given.rooms)) {
    names.set(name, await group(members.map(personOf), groupType));
  }
  const outcomes: Outcome[] = [];
  const act = async (step: Step): Promise<void> => {
    if ("open" in step) {
      const token = step.protocols === undefined ? (step.token ?? personOf(step.user ?? "").token) : "";
      const protocols = step.protocols?.map((name) => name.replace("{{token}}", personOf(step.user ?? "").token));
      const query = step.query === undefined ? "" : `?${fillText(step.query, names)}`;
      clients.set(step.open, await open(token, query, protocols));
    } else if ("send" in step) {
      const { socket } = clientOf(step.send);
      if (step.binary !== undefined) socket.send(Buffer.from(step.binary, "base64"));
      else socket.send(step.text ?? JSON.stringify(fill(step.json, names)));
    } else if ("receive" in step) {
      const text = await clientOf(step.receive).nextText();
      const received: unknown = JSON.parse(text);
      if (step.text !== undefined) outcomes.push([text, step.text]);
      else outcomes.push([received, settle(fill(step.json, names), received, names)]);
    } else if ("close" in step) await clientOf(step.close).close();
    else outcomes.push([await clientOf(step.closed).closed, step.code]);
  };
  for (const step of steps) await act(step);
  return outcomes;
}

/** All vectors of `tests/vectors/ws`. */
export const wsVectors: readonly (WsVector & { readonly file: string })[] = files.map((file) => ({
  file,
  ...readVector(file),
}));
