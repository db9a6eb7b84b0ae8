import { LRUCache } from "lru-cache";
import { describeError, type Locale } from "../catalogue/describe.ts";
import { TelexError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { Clock } from "../time.ts";
import { toMessages } from "./printable.ts";
import type { DeviceKey, DeviceMessageRecord, DeviceRecord, TeleprinterStore } from "./store.ts";

/** What was said to a device, or by it. */
export interface Said {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** What answers devices, under the quota of their owners. */
export interface DeviceModels {
  /** @throws TelexError `not_found` where there is no such model */
  assert(model: string): void;
  /**
   * The pieces of the answer to the last of these, oldest first.
   * @throws TelexError `quota_exceeded`, `ai_unavailable`, `not_found` where the model is gone
   */
  answer(owner: number, model: string, said: readonly Said[]): AsyncIterable<string>;
}

/** What answering devices needs. */
export interface AnsweringDependencies {
  readonly store: Pick<TeleprinterStore, "page">;
  readonly models: DeviceModels;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly locale: Locale;
  readonly log: Logger;
  /** Says that an answer is under way; the returned function, that it is over. */
  readonly begin: () => () => void;
  /** Queues one message for a device. */
  readonly send: (key: DeviceKey, content: string) => Promise<unknown>;
}

/** Messages of a device that a model is shown. */
const remembered = 40;
/** Texts of a device that wait for their answer; what comes beside them is refused. */
const mostWaiting = 8;
/** Milliseconds between two failures that a device is told of: one that prints back what it gets does not go round. */
const failurePause = 60_000;
const rememberedFailures = 1000;

const roleOf = ({ direction }: DeviceMessageRecord): Said["role"] =>
  direction === "from_device" ? "user" : "assistant";

/** What was said up to a text of the device, which comes last. */
async function listen({ store }: AnsweringDependencies, key: DeviceKey, content: string): Promise<Said[]> {
  const page = await store.page({ ...key, before: null, limit: remembered });
  const messages = page.outcome === "page" ? page.messages.toReversed() : [];
  const last = messages.findLastIndex((message) => roleOf(message) === "user" && message.content === content);
  const before = messages
    .slice(0, Math.max(0, last))
    .map((message) => ({ role: roleOf(message), content: message.content }));
  return [...before, { role: "user", content }];
}

/** Answers what devices say: queued to them, one after the other. */
export function createAnswering(deps: AnsweringDependencies): (device: DeviceRecord, content: string) => void {
  const { models, clock, limits, locale, log, begin, send } = deps;
  const waiting = new Map<string, { last: Promise<void>; count: number }>();
  const failed = new LRUCache<string, number>({ max: rememberedFailures });

  const sendAll = async (key: DeviceKey, text: string): Promise<void> => {
    for (const message of toMessages(text, limits.deviceText)) await send(key, message);
  };
  const tell = async (key: DeviceKey, cause: unknown): Promise<void> => {
    const error = TelexError.from(cause);
    if (error.cause !== undefined)
      log.error("device.answer_failed", { code: error.code, incident: error.incident }, error.cause);
    const now = clock.now();
    if (now - (failed.get(key.deviceId) ?? -Infinity) < failurePause) return;
    failed.set(key.deviceId, now);
    await sendAll(key, describeError(error, locale));
  };
  const answer = async ({ deviceId, owner, ai }: DeviceRecord, content: string): Promise<void> => {
    const key = { deviceId, owner };
    const over = begin();
    let text = "";
    try {
      for await (const piece of models.answer(owner, ai ?? "", await listen(deps, key, content))) text += piece;
      await sendAll(key, text);
    } catch (cause) {
      await sendAll(key, text);
      await tell(key, cause);
    } finally {
      over();
    }
  };
  const quietly = async (device: DeviceRecord, work: Promise<void>): Promise<void> => {
    // The device may be gone, or its queue full: there is nobody to be told.
    await work.catch((cause: unknown) => log.warn("device.answer_lost", { code: TelexError.from(cause).code }));
    const line = waiting.get(device.deviceId);
    if (line === undefined) return;
    line.count -= 1;
    if (line.count === 0) waiting.delete(device.deviceId);
  };
  return (device, content) => {
    if (device.ai === null) return;
    const line = waiting.get(device.deviceId) ?? { last: Promise.resolve(), count: 0 };
    waiting.set(device.deviceId, line);
    line.count += 1;
    if (line.count > mostWaiting) void quietly(device, tell(device, new TelexError("busy")));
    else line.last = line.last.then(() => quietly(device, answer(device, content)));
  };
}
