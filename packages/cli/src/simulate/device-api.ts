import { setTimeout as sleep } from "node:timers/promises";
import { teleprinterContract } from "@telex/core/contract";
import type { DeviceMessageView, DeviceView } from "@telex/core";
import type { Api, Call } from "../client/api.ts";
import { Refusal } from "../client/api.ts";
import { Failure } from "../errors.ts";
import type { Random } from "./random.ts";

const prefix = "/external/api/v1/teleprinter";

/** A chat room that a device prints. */
export type PrintedRoom = NonNullable<DeviceView["room"]>;

/** The calls of one device; each is repeated until the server has answered. */
export interface DeviceApi {
  /** With `room`, the device prints that room from then on. */
  register(name: string, room: PrintedRoom | null): Promise<DeviceView>;
  /** The device as it is known, or null where the ID is not registered. A sign of life. */
  find(): Promise<DeviceView | null>;
  heartbeat(signal: AbortSignal): Promise<DeviceView>;
  poll(request: {
    readonly ack: number;
    readonly wait: number;
    readonly signal: AbortSignal;
  }): Promise<DeviceMessageView[]>;
  /** Repeating is safe: the nonce makes one message of all attempts. */
  sync(content: string, nonce: string): Promise<DeviceMessageView>;
  offline(): Promise<DeviceView>;
  /** One page of both directions, newest first, below the cursor. */
  history(
    cursor: string | null,
    pageSize: number,
  ): Promise<{ nextPageCursor: string | null; messages: DeviceMessageView[] }>;
}

/** How long a call is repeated that gets no answer. */
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

/** Repeats a call while it can still succeed: later and later, and no sooner than the server asks for. */
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
