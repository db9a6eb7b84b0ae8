import type { DeviceApi } from "./device-api.ts";
import type { DeviceClock } from "./faults.ts";
import { createInbox } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { DeviceParts, DeviceTransport } from "./transport.ts";

/** Seconds that a poll waits at the server. */
const wait = 25;
/** Milliseconds between heartbeats, well below the 60 s of the interface. */
const heartbeatEvery = 30_000;

/** Polls with `ack`: a lost response loses no text, and repeats are recognized. */
export function createPollTransport({ api, clock }: DeviceParts): DeviceTransport {
  return {
    async receive(use, stop) {
      const inbox = createInbox(use);
      const gone = new AbortController();
      const beating = beat(api, clock, gone.signal);
      try {
        await Promise.race([beating, receiveUntil(stop, api, inbox)]);
        await drain(api, inbox);
        await api.offline();
      } finally {
        gone.abort();
      }
      await beating;
    },
    sync: async (content, nonce) => await api.sync(content, nonce),
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

const receiveUntil = async (stop: AbortSignal, api: DeviceApi, inbox: Inbox): Promise<void> =>
  await repeatUntil(stop, async () => {
    await inbox.take(await api.poll({ ack: inbox.ack(), wait, signal: stop }));
  });

/** Acknowledges the last processed text, and takes the next ones. */
async function drain(api: DeviceApi, inbox: Inbox): Promise<void> {
  const never = new AbortController().signal;
  for (let left = 1; left > 0;) {
    const messages = await api.poll({ ack: inbox.ack(), wait: 0, signal: never });
    left = messages.length;
    await inbox.take(messages);
  }
}

/** Sends a heartbeat every 30 s until the device is gone. Fails if the server rejects the device. */
const beat = async (api: DeviceApi, clock: DeviceClock, gone: AbortSignal): Promise<void> =>
  await repeatUntil(gone, async () => {
    await clock.sleep(heartbeatEvery, gone);
    await api.heartbeat(gone);
  });
