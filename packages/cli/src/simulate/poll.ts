import type { DeviceMessageView } from "@telex/core";
import { within } from "../client/with-client.ts";
import { createInbox } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { DeviceParts, DeviceTransport } from "./transport.ts";

/** Seconds that a poll waits at the server. */
const wait = 25;
/** Milliseconds between heartbeats, well below the 60 s of the interface. */
const heartbeatEvery = 30_000;

/** Polls with `ack`: a lost response loses no text, and repeats are recognized. */
export function createPollTransport(parts: DeviceParts): DeviceTransport {
  const { call, deviceId } = parts;
  return {
    async receive(use, stop) {
      const inbox = createInbox(use);
      const gone = new AbortController();
      const beating = beat(parts, gone.signal);
      try {
        await Promise.race([beating, receiveUntil(stop, parts, inbox)]);
        await drain(parts, inbox);
        await call(({ offline }) => offline({ deviceId }, within()));
      } finally {
        gone.abort();
      }
      await beating;
    },
    sync: async (content, nonce) => await call(({ sync }) => sync({ deviceId, content, nonce }, within())),
  };
}

/** Repeats work until the end. Failures after the end are ignored. */
async function repeatUntil(end: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!end.aborted) {
    await work().catch((error: unknown) => {
      if (!end.aborted) throw error;
    });
  }
}

/** Acknowledges the processed texts, and takes further ones. */
async function pollOnce(
  { call, deviceId }: DeviceParts,
  request: { readonly ack: number; readonly wait: number },
  stop?: AbortSignal,
): Promise<DeviceMessageView[]> {
  const input = { deviceId, limit: 100, ...request };
  return await call(({ poll }) => poll(input, within((request.wait + 10) * 1000, stop)), stop);
}

const receiveUntil = async (stop: AbortSignal, parts: DeviceParts, inbox: Inbox): Promise<void> =>
  await repeatUntil(stop, async () => {
    await inbox.take(await pollOnce(parts, { ack: inbox.ack(), wait }, stop));
  });

/** Takes the texts that still wait, until all are acknowledged. */
async function drain(parts: DeviceParts, inbox: Inbox): Promise<void> {
  for (let left = 1; left > 0;) {
    const messages = await pollOnce(parts, { ack: inbox.ack(), wait: 0 });
    left = messages.length;
    await inbox.take(messages);
  }
}

/** Sends a heartbeat every 30 s until the device is gone. Fails if the server rejects the device. */
const beat = async ({ call, clock, deviceId }: DeviceParts, gone: AbortSignal): Promise<void> =>
  await repeatUntil(gone, async () => {
    await clock.sleep(heartbeatEvery, gone);
    await call(({ heartbeat }) => heartbeat({ deviceId }, within(undefined, gone)), gone);
  });
