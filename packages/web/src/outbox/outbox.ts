import type { ReadonlySignal } from "@preact/signals";
import { pauseAfter } from "@telex/ws/client";
import { isPassing, problemOf } from "../server/problem.ts";
import type { Shelf } from "../base/shelf.ts";
import { createMessageBuffer, type MessageBuffer } from "./message-buffer.ts";
import { createOutgoingList, type Delivery, type Outgoing, type OutgoingList } from "./outgoing-list.ts";

/** `M` is a message of the server. */
export interface OutboxOptions<M> {
  readonly send: (text: Pick<Outgoing, "to" | "content" | "nonce" | "delivery">) => Promise<M>;
  /** Called for each message that the server has stored: a sent text, or a message that was held back. */
  readonly stored: (message: M) => void;
  /** True if a message may be this text. */
  readonly canBe: (message: M, text: Outgoing) => boolean;
  /** True if the server can be reached. Then waiting texts are retried automatically. */
  readonly isLive: () => boolean;
  readonly shelf: Shelf;
}

/** Sends texts, with retries, until the server stores or rejects them. */
export interface Outbox<M> {
  readonly texts: ReadonlySignal<readonly Outgoing[]>;
  /** @param to the device or room */
  readonly send: (to: string, content: string, delivery?: Delivery) => void;
  /** Retries one text, or all waiting texts. Resolves when each was tried. */
  readonly retry: (nonce?: string) => Promise<void>;
  readonly discard: (nonce: string) => void;
  /** Holds back a message from the server if it may be a text that is being sent; the response to the send decides. Returns false otherwise. */
  readonly hold: (message: M) => boolean;
}

/** True if the text would overtake a waiting one. Texts must arrive in the order of typing. */
const overtakes = (text: Outgoing, texts: readonly Outgoing[]): boolean =>
  texts.find(({ to, state }) => to === text.to && state !== "failed")?.nonce !== text.nonce;

/** Runs the work for each device or room sequentially. */
function createQueues() {
  const last = new Map<string, Promise<void>>();
  return (to: string, work: () => Promise<void>): Promise<void> => {
    const done = (last.get(to) ?? Promise.resolve()).then(work);
    last.set(to, done);
    return done;
  };
}

/** Calls `retry` with pauses that increase with each failure since the last success. */
function createRetries(retry: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  return {
    succeeded(): void {
      failures = 0;
    },
    failed(): void {
      failures += 1;
      clearTimeout(timer);
      timer = setTimeout(retry, pauseAfter(failures, 0.5 + Math.random() / 2, { firstPause: 500 }));
    },
  };
}

interface DeliveryDeps<M> extends Pick<OutboxOptions<M>, "send" | "stored"> {
  readonly list: Pick<OutgoingList, "change" | "remove">;
  readonly buffer: MessageBuffer<M>;
  readonly retries: ReturnType<typeof createRetries>;
}

/** Sends a text once, and records the outcome. */
const createDelivery =
  <M>({ send, stored, list, buffer, retries }: DeliveryDeps<M>) =>
  async (text: Outgoing): Promise<void> => {
    const { nonce } = text;
    try {
      const message = await send(text);
      retries.succeeded();
      list.remove(nonce);
      stored(message);
    } catch (error) {
      const problem = problemOf(error);
      list.change(nonce, { state: isPassing(problem) ? "waiting" : "failed", problem });
      if (isPassing(problem)) retries.failed();
    }
    buffer.release(nonce).forEach(stored);
  };

interface AttemptDeps {
  readonly list: OutgoingList;
  readonly deliver: (text: Outgoing) => Promise<void>;
}

/** Tries to send a text, unless it would overtake another one. */
const createAttempt =
  ({ list, deliver }: AttemptDeps) =>
  async (nonce: string): Promise<void> => {
    const { texts } = list;
    const text = texts.value.find((each) => each.nonce === nonce);
    if (text === undefined) return;
    const waits = text.state !== "failed" && overtakes(text, texts.value);
    list.change(nonce, { state: waits ? "waiting" : "sending", problem: null });
    if (!waits) await deliver(text);
  };

/** Creates an outbox with the texts that an earlier page left on the shelf. */
export function createOutbox<M>({ send, stored, canBe, isLive, shelf }: OutboxOptions<M>): Outbox<M> {
  const list = createOutgoingList(shelf);
  const { texts, remove: discard } = list;
  const buffer = createMessageBuffer(canBe);
  const inQueue = createQueues();
  const retries = createRetries(() => void (isLive() && retry()));
  const attempt = createAttempt({ list, deliver: createDelivery({ send, stored, list, buffer, retries }) });
  const queue = ({ to, nonce }: Outgoing): Promise<void> => inQueue(to, () => attempt(nonce));
  const retry = async (nonce?: string): Promise<void> => {
    const again = texts.value.filter((text) => (nonce === undefined ? text.state === "waiting" : text.nonce === nonce));
    await Promise.all(again.map(queue));
  };
  const sendLater = (to: string, content: string, delivery?: Delivery): void =>
    void queue(list.add(to, content, delivery));
  return { texts, send: sendLater, retry, discard, hold: (message) => buffer.hold(message, texts.value) };
}
