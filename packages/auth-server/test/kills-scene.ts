import { createMemoryBlobs } from "@telex/blobs/memory";
import { type Bus, createTelex, type Telex } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import type { LiveConnection } from "@telex/core/transport";
import type { ManualClock } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";

const engine = createSharpEngine();

/** A server that can be killed. After that, its callers receive nothing, not even the outcome of a change in progress. */
export interface Mortal {
  readonly telex: Telex;
  readonly storage: Storage;
  /** Resolves when it is killed. */
  readonly killed: Promise<void>;
  readonly isDead: () => boolean;
  readonly kill: () => void;
}

const never = new Promise<never>(() => {});

type Run = (...args: readonly unknown[]) => unknown;

const isRun = (value: unknown): value is Run => typeof value === "function";

/** The functions of a part of a storage, whose outcomes come only while a server lives. */
const aliveIn = (part: object, isDead: () => boolean): object =>
  new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (!isRun(value)) return value;
      return (...args: readonly unknown[]): unknown => {
        if (isDead()) return never;
        const result = Reflect.apply(value, target, args);
        if (!(result instanceof Promise)) return result;
        const outcome: Promise<unknown> = result;
        return outcome.then(
          async (done) => (isDead() ? await never : done),
          async (cause: unknown) => {
            if (isDead()) await never;
            throw cause;
          },
        );
      };
    },
  });

function storageOf(storage: Storage, isDead: () => boolean): Storage {
  return new Proxy(storage, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "object" && value !== null ? aliveIn(value, isDead) : value;
    },
  });
}

const busOf = (bus: Bus, isDead: () => boolean): Bus => ({
  async join(receive) {
    const member = await bus.join((event) => {
      if (!isDead()) receive(event);
    });
    return {
      ...member,
      follow: (topic) => member.follow(topic),
      leave: async () => await member.leave(),
      publish: (event) => {
        if (!isDead()) member.publish(event);
      },
    };
  },
});

/** Starts a server of an installation. */
export async function startMortal(storage: Storage, bus: Bus, clock: ManualClock): Promise<Mortal> {
  let dead = false;
  const isDead = (): boolean => dead;
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  const own = storageOf(storage, isDead);
  const telex = await createTelex({
    storage: own,
    blobs: createMemoryBlobs({ clock }),
    images: engine,
    clock,
    bus: busOf(bus, isDead),
  });
  return {
    telex,
    storage: own,
    killed,
    isDead,
    kill() {
      dead = true;
      resolve();
    },
  };
}

/** The events of a connection. */
type Events = Parameters<LiveConnection["write"]>[0];

export type Event = Events[number];
