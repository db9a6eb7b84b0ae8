import { z } from "zod";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import type { Caller, Clock, Storage, Telex, TelexOptions } from "../src/index.ts";
import { createTelex, operator } from "../src/index.ts";
import type { LiveConnection, LiveEvent } from "../src/live/live.ts";
import { createSharpEngine } from "../src/images/sharp.ts";

/** A clock that a test moves. */
export interface TestClock extends Clock {
  /** Jumps by so many milliseconds, then runs what has fallen due, in order. */
  advance(by: number): Promise<void>;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets everything happen that needs no time. */
export async function settle(turns = 20): Promise<void> {
  for (let index = 0; index < turns; index += 1) await turn();
}

export function createTestClock(start = Date.parse("2026-11-20T08:15:30.123Z")): TestClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(delay, run) {
      const timer = { at: now + delay, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(by) {
      now += by;
      const due = () => [...timers].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)[0];
      for (let timer = due(); timer !== undefined; timer = due()) {
        timers.delete(timer);
        timer.run();
        await settle(3);
      }
      await settle();
    },
  };
}

export interface Kit {
  readonly telex: Telex;
  readonly clock: TestClock;
  readonly storage: Storage;
  readonly alice: Caller;
  readonly bob: Caller;
  readonly carol: Caller;
  /** A room of type 1 with alice and bob. */
  readonly room: number;
  readonly token: string;
}

export interface KitOptions extends Omit<Partial<TelexOptions>, "clock"> {
  readonly clock?: TestClock;
}

const engine = createSharpEngine();

const storedSegments = z.array(z.record(z.string(), z.record(z.string(), z.string())));

/** An instance on the memory store with three users and a room, whose answers are checked against the contracts. */
export async function createKit({ clock = createTestClock(), ...options }: KitOptions = {}): Promise<Kit> {
  const storage = options.storage ?? createMemoryStorage({ clock });
  const blobs = createMemoryBlobs({ clock });
  const telex = await createTelex({ storage, blobs, images: engine, clock, checkOutput: true, ...options });
  const tokens: string[] = [];
  for (const [nickname, ext] of [
    ["Alice", "10001"],
    ["鲍勃", "10002"],
    ["Carol", undefined],
  ] as const) {
    const user = await telex.operator.users.add(operator, { nickname, ext });
    tokens.push((await telex.operator.tokens.issue(operator, { userId: user.id, scopes: ["chat"] })).token);
  }
  const [alice, bob, carol] = await Promise.all(tokens.map((token) => telex.authenticate(token)));
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error("three users were added");
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "测试房间", members: [1, 2] });
  return { telex, clock, storage, alice, bob, carol, room: groupId, token: tokens[0] ?? "" };
}

/** A connection that keeps what it is told. */
export function createConnection(caller: Caller) {
  if (caller.kind !== "token") throw new Error("a connection needs a token");
  const events: LiveEvent[] = [];
  const closed: string[] = [];
  const writes: number[] = [];
  const connection: LiveConnection = {
    holder: caller,
    write(batch) {
      writes.push(batch.length);
      events.push(...batch);
    },
    close: (reason) => closed.push(reason),
  };
  return { connection, events, closed, writes };
}

/** The segments of a stored message. */
export const segmentsOf = ({ content }: { readonly content: string }) => storedSegments.parse(JSON.parse(content));

export async function* bytesOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

export const fileOf = (content: string | Uint8Array, name = "a.bin", mime = "application/octet-stream") => ({
  name,
  mime,
  bytes: bytesOf(content),
});
