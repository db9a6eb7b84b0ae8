import { setTimeout as sleep } from "node:timers/promises";
import { teleprinterContract } from "@telex/core/contract";
import type { DeviceMessageView } from "@telex/core";
import { openConversation } from "../client/conversation.ts";
import type { Conversation } from "../client/conversation.ts";
import type { Destination, Frame } from "../client/line.ts";
import { Failure } from "../errors.ts";
import { createInbox } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { DeviceParts, DeviceTransport } from "./transport.ts";

/** Milliseconds between heartbeats: well below the 60 s that the interface expects. */
const heartbeatEvery = 30_000;
/** Milliseconds for which a connection is sought before the device gives up. */
const patience = 30_000;
const firstPause = 100;
const longestPause = 2000;
/** A connection that lasts so long was a good one. */
const settled = 5000;
/** The token has ended, the device is somebody else's, or it is not registered: no other connection will help. */
const finalCodes: readonly number[] = [4401, 4403, 4404];

/** Messages are pushed, and each is acknowledged when it was used; a connection that ends is opened again. */
export function createSocketTransport(parts: DeviceParts): DeviceTransport {
  const connections = createConnections(parts);
  return {
    async receive(use, stop) {
      const inbox = createInbox(use);
      const gone = new AbortController();
      const failed = Promise.withResolvers<never>();
      // One after the other, over all connections: a device does one thing at a time.
      let work = Promise.resolve();
      const news = (frame: Frame, from: Conversation): void => {
        if (stop.aborted || frame["type"] !== "TeleprinterMessage") return;
        work = work.then(async () => await takeIn(frame, inbox, from)).catch(failed.reject);
      };
      const kept = connections.keep(news, gone.signal);
      const beating = beat(parts, connections, gone.signal);
      try {
        await Promise.race([kept, beating, failed.promise, aborted(stop)]);
        await Promise.race([work, failed.promise]);
        await parts.api.offline();
      } finally {
        gone.abort();
      }
      await Promise.all([kept, beating]);
    },
    async sync(content, nonce) {
      const fields = { content, nonce };
      return teleprinterContract.sync.output.parse(await connections.request("sync", fields));
    },
  };
}

async function takeIn(frame: Frame, inbox: Inbox, from: Conversation): Promise<void> {
  const message: DeviceMessageView = teleprinterContract.send.output.parse(frame["data"]);
  await inbox.take([message]);
  // Where the connection ends first, the message comes again, and is acknowledged then.
  await unlessEnded(from.request("ack", { id: message.id }));
}

async function unlessEnded(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
}

const isEnded = (error: unknown): boolean => error instanceof Failure && error.error === "connection_ended";

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

interface Connections {
  /** Keeps a connection open until the device is gone. */
  keep(news: (frame: Frame, from: Conversation) => void, gone: AbortSignal): Promise<void>;
  /** Asks over the connection of the moment, and again over the next where the answer was lost. */
  request(command: string, fields: Frame): Promise<unknown>;
}

function createConnections(parts: DeviceParts): Connections {
  let next = Promise.withResolvers<Conversation>();
  return {
    async keep(news, gone) {
      let [pause, good] = [firstPause, Date.now()];
      while (!gone.aborted) {
        const began = Date.now();
        const conversation = await connect(parts, news);
        next.resolve(conversation);
        await Promise.race([conversation.ended, aborted(gone)]);
        next = Promise.withResolvers();
        if (gone.aborted) conversation.close();
        const { code, failure } = await conversation.ended;
        if (Date.now() - began >= settled) [pause, good] = [firstPause, Date.now()];
        if (finalCodes.includes(code) || Date.now() - good > patience) throw failure;
        await pauseUnless(gone, pause);
        pause = Math.min(2 * pause, longestPause);
      }
    },
    async request(command, fields) {
      for (;;) {
        const conversation = await next.promise;
        try {
          return await conversation.request(command, fields);
        } catch (error) {
          if (!isEnded(error)) throw error;
          await conversation.ended;
        }
      }
    },
  };
}

async function pauseUnless(gone: AbortSignal, length: number): Promise<void> {
  if (!gone.aborted) await Promise.race([sleep(length), aborted(gone)]);
}

async function connect(
  { server, deviceId, dial }: DeviceParts,
  news: (frame: Frame, from: Conversation) => void,
): Promise<Conversation> {
  const path = "/external/api/v1/teleprinter/webSocket";
  const address = `${server.url.replace(/^http/, "ws")}${path}?ack=1&deviceId=${encodeURIComponent(deviceId)}`;
  const end = Date.now() + patience;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await open(dial, { address, token: server.token }, news);
    } catch (error) {
      if (Date.now() >= end) throw error;
      await sleep(pause);
    }
  }
}

/** News can come before the conversation is at hand that they belong to. */
async function open(
  dial: DeviceParts["dial"],
  destination: Destination,
  news: (frame: Frame, from: Conversation) => void,
): Promise<Conversation> {
  const { promise, resolve } = Promise.withResolvers<Conversation>();
  const conversation = await openConversation(
    dial,
    destination,
    (frame) => void promise.then((from) => news(frame, from)),
  );
  resolve(conversation);
  return conversation;
}

/** Says every 30 s that the device lives; ends when it is gone. */
async function beat({ clock }: DeviceParts, connections: Connections, gone: AbortSignal): Promise<void> {
  while (!gone.aborted) {
    try {
      await clock.sleep(heartbeatEvery, gone);
      await Promise.race([connections.request("heartbeat", {}), aborted(gone)]);
    } catch (error) {
      if (!gone.aborted) throw error;
    }
  }
}
