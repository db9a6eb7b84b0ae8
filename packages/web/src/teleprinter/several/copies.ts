import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { createNonce } from "../../base/nonce.ts";
import type { Delivery } from "../../outbox/outgoing-list.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Server } from "../../server/server.ts";

/** A copy of a text for one of several devices. */
export interface Copy {
  readonly deviceId: string;
  readonly nonce: string;
  readonly state: "sending" | "failed" | DeviceMessageView["state"];
  /** Null until the server has stored it. */
  readonly id: number | null;
  readonly problem: Problem | null;
}

/** A text for several devices. Owns the state of each copy. */
export interface Copies {
  readonly list: ReadonlySignal<readonly Copy[]>;
  /** Sends the text to each device. The rejection of one copy does not affect the others. */
  readonly send: (deviceIds: readonly string[], content: string, delivery: Delivery) => void;
  /** Sends failed copies again. The server stores none of them twice. */
  readonly retry: () => void;
  /** Texts have reached a device. */
  readonly delivered: (deviceId: string, ids: readonly number[]) => void;
  readonly clear: () => void;
}

/** The number of copies that are sent simultaneously. */
const abreast = 6;

interface Text {
  readonly content: string;
  readonly delivery: Delivery;
}

export function createCopies(send: Server["teleprinter"]["send"]): Copies {
  const list = signal<readonly Copy[]>([]);
  /** Texts that were delivered before the server responded to their sending. */
  const seen = new Set<string>();
  let text: Text = { content: "", delivery: {} };
  const change = (nonce: string, news: Partial<Copy>): void => {
    list.value = list.peek().map((copy) => (copy.nonce === nonce ? { ...copy, ...news } : copy));
  };
  const attempt = async ({ deviceId, nonce }: Copy): Promise<void> => {
    change(nonce, { state: "sending", problem: null });
    try {
      const {
        id,
        delivered,
        state = "waiting",
      } = await send({ ...text.delivery, deviceId, content: text.content, nonce });
      const isThere = delivered === 1 || seen.has(`${deviceId}/${id}`);
      change(nonce, { id, state: isThere ? "delivered" : state });
    } catch (error) {
      change(nonce, { state: "failed", problem: problemOf(error) });
    }
  };
  const run = (copies: readonly Copy[]): void => {
    const rest = [...copies];
    const work = async (): Promise<void> => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) await attempt(next);
    };
    for (let worker = 0; worker < abreast; worker += 1) void work();
  };
  return {
    list,
    send(deviceIds, content, delivery) {
      text = { content, delivery };
      list.value = deviceIds.map((deviceId) => ({
        deviceId,
        nonce: createNonce(),
        state: "sending",
        id: null,
        problem: null,
      }));
      run(list.value);
    },
    retry: () => run(list.peek().filter(({ problem }) => problem !== null)),
    delivered(deviceId, ids) {
      for (const id of ids) {
        seen.add(`${deviceId}/${id}`);
        const copy = list.peek().find((each) => each.deviceId === deviceId && each.id === id);
        if (copy !== undefined && copy.state !== "scheduled") change(copy.nonce, { state: "delivered" });
      }
    },
    clear() {
      list.value = [];
    },
  };
}
