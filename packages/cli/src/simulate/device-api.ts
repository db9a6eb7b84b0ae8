import { setTimeout as sleep } from "node:timers/promises";
import { teleprinterContract } from "@telex/core/contract";
import type { DeviceMessageView, DeviceView } from "@telex/core";
import type { Api, Call } from "../client/api.ts";
import { Refusal } from "../client/api.ts";
import { Failure } from "../errors/errors.ts";
import type { Random } from "@telex/core/testing";

const prefix = "/external/api/v1/teleprinter";

/** A chat room that a device prints. */
export type PrintedRoom = NonNullable<DeviceView["room"]>;

/** The calls of one device. Each is repeated until the server responds. */
export interface DeviceApi {
  /** Registers the device. With `room`, it prints that room. */
  register(name: string, room: PrintedRoom | null): Promise<DeviceView>;
  /** The registered device, or null. Counts as a sign of life. */
  find(): Promise<DeviceView | null>;
  heartbeat(signal: AbortSignal): Promise<DeviceView>;
  poll(request: {
    readonly ack: number;
    readonly wait: number;
    readonly signal: AbortSignal;
  }): Promise<DeviceMessageView[]>;
  /** Sends a text. The nonce makes repeats safe. */
  sync(content: string, nonce: string): Promise<DeviceMessageView>;
  offline(): Promise<DeviceView>;
  /** One page of both directions, newest first, below the cursor. */
  history(
    cursor: string | null,
    pageSize: number,
  ): Promise<{ nextPageCursor: string | null; messages: DeviceMessageView[] }>;
}

/** Milliseconds for which a call without a response is repeated. */
const patience = 30_000;
const firstPause = 100;
const longestPause = 5000;

/** The calls of a device, on the interface's paths. */
export function createDeviceApi(api: Api, deviceId: string, random: Random): DeviceApi {
  const { register, heartbeat, poll, sync, offline, messages } = teleprinterContract;
  const call = async (request: Call): Promise<unknown> => await repeat(api, request, random);
  const post = async (name: string, fields: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> =>
    await call({ path: `${prefix}/${name}`, body: { deviceId, ...fields }, ...(signal && { signal }) });
  return {
    register: async (name, room) =>
      register.output.parse(await post("register", { name, ...(room !== null && { room }) })),
    async find() {
      try {
        return heartbeat.output.parse(await post("heartbeat", {}));
      } catch (error) {
        if (error instanceof Refusal && error.error === "device_not_found") return null;
        throw error;
      }
    },
    heartbeat: async (signal) => heartbeat.output.parse(await post("heartbeat", {}, signal)),
    async poll({ ack, wait, signal }) {
      const query = { deviceId, limit: 100, ack, wait };
      return poll.output.parse(await call({ path: `${prefix}/poll`, query, signal, timeout: (wait + 10) * 1000 }));
    },
    sync: async (content, nonce) => sync.output.parse(await post("sync", { content, nonce })),
    offline: async () => offline.output.parse(await post("offline", {})),
    async history(cursor, pageSize) {
      const query = { deviceId, pageSize, ...(cursor !== null && { cursor }) };
      return messages.output.parse(await call({ path: `${prefix}/messages`, query }));
    },
  };
}

/** Repeats a call while it may succeed, after growing pauses, and no sooner than the server asks for. */
async function repeat(api: Api, request: Call, random: Random): Promise<unknown> {
  const end = Date.now() + patience;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await api.call(request);
    } catch (error) {
      if (!canPass(error) || request.signal?.aborted === true || Date.now() >= end) throw error;
      const wanted = error instanceof Refusal ? (error.retryAfter ?? 0) : 0;
      await sleep(Math.max(wanted, pause * (0.5 + random.next())), null, request.signal && { signal: request.signal });
    }
  }
}

const canPass = (error: unknown): boolean =>
  error instanceof Refusal ? error.passing : error instanceof Failure && error.error === "unreachable";
