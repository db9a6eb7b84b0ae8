import { createMemoryBlobs } from "@telex/blobs/memory";
import { intercept } from "@telex/conformance";
import type { BusEvent } from "../src/instance/bus-events.ts";
import { type Bus, createTelex, type Storage, type Telex } from "../src/index.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import type { ManualClock } from "@telex/conformance/testing";

/** A server that can be killed, and stopped for a while. */
export interface Killable {
  readonly telex: Telex;
  /** Nothing that it does reaches the storage or the bus any more, and nothing reaches it. */
  kill(): void;
  /** It stands still until the returned function is called. */
  pause(): () => void;
}

interface Shared {
  readonly storage: Storage;
  readonly bus: Bus | null;
  readonly clock: ManualClock;
}

const images = createSharpEngine();
const never = new Promise<never>(() => {});

/** Starts a server on a storage and a bus that outlive it. */
export async function startKillable({ storage, bus, clock }: Shared): Promise<Killable> {
  let isRunning = (): Promise<void> | null => null;
  const whileRunning = async <T>(run: () => Promise<T>): Promise<T> => {
    const stopped = isRunning();
    if (stopped !== null) await stopped;
    return run();
  };
  const own = intercept(storage, ({ run }) => whileRunning(run).then((result) => whileRunning(async () => result)));
  const gated: Bus | null = bus && {
    async join(receive) {
      const pass = (event: BusEvent, give: (event: BusEvent) => void): void => {
        const stopped = isRunning();
        if (stopped === null) give(event);
        else void stopped.then(() => give(event));
      };
      const member = await bus.join((event) => pass(event, receive));
      return { ...member, publish: (event) => pass(event, (one) => member.publish(one)) };
    },
  };
  const telex = await createTelex({
    storage: { ...storage, ...own, close: () => Promise.resolve() },
    blobs: createMemoryBlobs({ clock }),
    images,
    clock,
    ...(gated !== null && { bus: gated }),
  });
  return {
    telex,
    kill: () => void (isRunning = () => never),
    pause() {
      const { promise, resolve } = Promise.withResolvers<void>();
      isRunning = () => promise;
      return () => {
        isRunning = () => null;
        resolve();
      };
    },
  };
}
