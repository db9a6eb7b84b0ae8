import type { DeviceMessageView } from "@telex/core";
import { followChannel, type FollowState } from "@telex/ws/client";
import { noSocket, socketFailure } from "../client/sockets.ts";
import { within } from "../client/with-client.ts";
import type { DeviceClock } from "./faults.ts";
import type { DeviceParts, DeviceTransport } from "./transport.ts";

/** Milliseconds without a connection until the device gives up. */
const patience = 30_000;
const pauses = { firstPause: 200, longestPause: 2000 } as const;
/** The token has ended, the device belongs to another user, or it is not registered: another connection would not help. */
const finalCodes: readonly number[] = [4401, 4403, 4404];

/** The clock of the device, for its connection: its pings are heartbeats. */
const clockOf = (clock: DeviceClock) => ({
  now: () => clock.now(),
  after(length: number, run: () => void): () => void {
    const over = new AbortController();
    clock.sleep(length, over.signal).then(run, () => {});
    return () => over.abort();
  },
});

/** Gives up after too long without a connection. */
function createPatience(giveUp: () => void): (state: FollowState) => void {
  let soughtSince: number | null = Date.now();
  return ({ kind }) => {
    soughtSince = kind === "open" ? null : (soughtSince ?? Date.now());
    if (kind === "waiting" && soughtSince !== null && Date.now() - soughtSince > patience) giveUp();
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const follow = (
  { server, deviceId, connect, clock }: DeviceParts,
  use: (message: DeviceMessageView) => Promise<void>,
  end: AbortController,
) =>
  followChannel({
    ...server,
    ...pauses,
    channel: "teleprinter",
    query: { deviceId },
    connect,
    clock: clockOf(clock),
    signal: end.signal,
    isFinal: (code) => finalCodes.includes(code),
    async onEvent({ type, data }) {
      if (type === "TeleprinterMessage") await use(data);
    },
    onState: createPatience(() => end.abort(noSocket(server.url))),
  });

/** Receives pushed messages and acknowledges each after its use. Opens a new connection when one ends. */
export function createSocketTransport(parts: DeviceParts): DeviceTransport {
  const started = Promise.withResolvers<ReturnType<typeof follow>>();
  const asking = new Set<Promise<unknown>>();
  const ask = async (content: string, nonce: string): Promise<DeviceMessageView> => {
    const device = await started.promise;
    return await device.callUntilDone("sync", { content, nonce }).catch((error: unknown) => {
      throw socketFailure(error);
    });
  };
  return {
    async receive(use, stop) {
      const end = new AbortController();
      const device = follow(parts, use, end);
      started.resolve(device);
      await Promise.race([device.ended, aborted(stop)]);
      await Promise.race([device.ended, Promise.allSettled(asking)]);
      const isWanted = device.state.kind !== "closed";
      end.abort();
      const cause = await device.ended;
      if (!isWanted)
        throw end.signal.reason instanceof Error ? end.signal.reason : (cause.cause ?? socketFailure(cause));
      await parts.call(({ offline }) => offline({ deviceId: parts.deviceId }, within()));
    },
    async sync(content, nonce) {
      const reply = ask(content, nonce);
      asking.add(reply);
      return await reply.finally(() => asking.delete(reply));
    },
  };
}
