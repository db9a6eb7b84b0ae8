import type { Clock, Zone } from "@telex/ground/time";
import type { Tally } from "../observe/figures.ts";
import type { DeviceConnection, FeedMode } from "./connection.ts";
import type { createBatch } from "./batch.ts";
import type { Holders } from "./holders.ts";
import type { DeviceKey } from "./store.ts";
import type { DeviceMessageRecord } from "../records/teleprinter.ts";
import { deviceMessageView } from "./view.ts";

interface PushDeps {
  readonly zone: Zone;
  readonly clock: Clock;
  readonly tally: Pick<Tally, "toDevices">;
  readonly holders: Pick<Holders, "check">;
}

type Batch = ReturnType<typeof createBatch>;

export interface Pushing {
  readonly deps: PushDeps;
  readonly connection: DeviceConnection;
  readonly key: DeviceKey;
  readonly how: FeedMode;
  readonly batch: Batch;
  readonly isClosed: () => boolean;
  readonly closed: Promise<"busy">;
  readonly close: () => Promise<void>;
  readonly marked: (ids: readonly number[]) => void;
}

/**
 * Another holder has the queue. One whose connection answers keeps it; a poll is asked to end, and waited for; texts of a holder that is
 * gone are free. Returns true to take again.
 */
async function yieldTo(
  { deps, connection, key, how, batch, close, closed }: Pushing,
  holder: string,
): Promise<boolean> {
  const takesOver = how.takesOver && !batch.wasHeld();
  const state = await Promise.race([deps.holders.check(key.deviceId, holder, takesOver), closed]);
  if (state === "connected") {
    connection.close(batch.wasHeld() ? "replaced" : "in_use");
    // It ends with this push. It holds no texts that could not be freed.
    close().catch(() => undefined);
  }
  return state === "gone";
}

async function push(
  { deps, connection, how: { ack } }: Pushing,
  messages: readonly DeviceMessageRecord[],
): Promise<boolean> {
  const shown = messages.map((message) => deviceMessageView(message, deps.zone, deps.clock.now(), ack ? 0 : 1));
  const isWritten = await connection.push(shown.map((data) => ({ kind: "device_message", data })));
  if (isWritten) deps.tally.toDevices += messages.length;
  return isWritten;
}

/** Pushes the next texts. False if there is nothing to push now. */
export async function pushNext(pushing: Pushing): Promise<boolean> {
  const { batch, isClosed, marked } = pushing;
  if (isClosed()) return false;
  const taken = await batch.take();
  if (taken.outcome === "held") return yieldTo(pushing, taken.holder);
  const { messages } = taken;
  const isWritten = messages.length > 0 && (await push(pushing, messages));
  if (isWritten && !pushing.how.ack) marked(await batch.deliver(messages.map(({ id }) => id)));
  if (batch.owes()) marked(await batch.settle());
  return isWritten;
}
