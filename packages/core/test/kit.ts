import { z } from "zod";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import type { Caller, Storage, Telex, TelexOptions } from "../src/index.ts";
import { createManualClock, createScene, type ManualClock } from "@telex/conformance/testing";
import type { LiveConnection, LiveEvent } from "../src/instance/live-events.ts";
import { createSharpEngine } from "@telex/image-text/sharp";

export interface Kit {
  readonly telex: Telex;
  readonly clock: ManualClock;
  readonly storage: Storage;
  readonly alice: Caller;
  readonly bob: Caller;
  readonly carol: Caller;
  /** A room of type 1 with alice and bob. */
  readonly room: number;
  readonly token: string;
  /** The lines of the log, except the events of security. */
  readonly lines: readonly string[];
}

export interface KitOptions extends Omit<Partial<TelexOptions>, "clock" | "log"> {
  readonly clock?: ManualClock;
}

const engine = createSharpEngine();

const storedSegments = z.array(z.record(z.string(), z.record(z.string(), z.string())));

/** An instance on the memory store with three users and a room, whose answers are checked against the contracts. */
export async function createKit({ clock = createManualClock(), ...options }: KitOptions = {}): Promise<Kit> {
  const storage = options.storage ?? createMemoryStorage({ clock });
  const blobs = createMemoryBlobs({ clock });
  const { telex, log, person, caller, room } = await createScene({ storage, blobs, images: engine, clock, ...options });
  const alice = await person("Alice", { ext: "10001" });
  const bob = await person("鲍勃", { ext: "10002" });
  const carol = await person("Carol");
  return {
    telex,
    clock,
    storage,
    alice: await caller(alice),
    bob: await caller(bob),
    carol: await caller(carol),
    room: await room([alice, bob], { name: "测试房间" }),
    token: alice.token,
    lines: log.lines,
  };
}

/** A connection that keeps its events. */
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
