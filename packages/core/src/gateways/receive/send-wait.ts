import type { Clock } from "@telex/ground/time";
import type { NetworkMessageStore } from "../message-store.ts";
import type { GatewaysLimits } from "../limits.ts";
import type { SendWorker } from "../send/worker.ts";
import { inTime } from "../faults.ts";
import type { Reaching } from "../accounts/reach.ts";

/** Milliseconds between checks whether another server is still sending. */
const lookEvery = 200;

interface SendWaitDeps {
  readonly store: Pick<NetworkMessageStore, "listStartedSends">;
  readonly worker: Pick<SendWorker, "settled">;
  readonly reaching: Pick<Reaching, "isElsewhere">;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayEchoWait" | "gatewayAnswerTime">;
}

interface SendingRoom {
  readonly account: string;
  readonly groupId: number;
}

/**
 * The echo of a message may arrive before the network's answer to its sender. Resolves when every server has stored the messages that it is
 * sending to the room, or after `gatewayEchoWait`: a gateway may read the answer only after core has accepted the echo.
 */
export type WaitForSends = (room: SendingRoom) => Promise<void>;

/** True if another server is sending to a room, and may still get an answer. */
async function isSending({ store, clock, limits }: SendWaitDeps, room: SendingRoom): Promise<boolean> {
  const now = clock.now();
  const started = await store.listStartedSends({ ...room, now });
  return started.some(({ state, at }) => state === "started" && at >= now - limits.gatewayAnswerTime);
}

export function createSendWait(deps: SendWaitDeps): WaitForSends {
  const { worker, reaching, clock, limits } = deps;
  return async (room) => {
    const end = clock.now() + limits.gatewayEchoWait;
    await inTime(clock, limits.gatewayEchoWait, worker.settled(room.groupId)).catch(() => undefined);
    if (!(await reaching.isElsewhere(room.account))) return;
    while (clock.now() < end && (await isSending(deps, room)))
      await new Promise<void>((resolve) => clock.after(lookEvery, resolve));
  };
}
