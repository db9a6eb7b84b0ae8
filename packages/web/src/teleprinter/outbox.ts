import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { isPassing, type Problem, problemOf } from "../session/problem.ts";
import type { Shelf } from "../shelf.ts";

/** A text on its way. `waiting`: it goes out when the connection is back. `failed`: the server refused it. */
export interface Outgoing {
  /** Makes repeats harmless: the server stores a text with this nonce once. */
  readonly nonce: string;
  readonly deviceId: string;
  readonly content: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly state: "sending" | "waiting" | "failed";
  readonly problem: Problem | null;
}

/** What the outbox needs. */
export interface OutboxOptions {
  readonly send: (text: Pick<Outgoing, "deviceId" | "content" | "nonce">) => Promise<DeviceMessageView>;
  /** A message is stored on the server: one of ours, or one that was held back. */
  readonly stored: (message: DeviceMessageView) => void;
  /** True while the server can be reached: texts that wait are tried again by themselves. */
  readonly isLive: () => boolean;
  readonly shelf: Shelf;
}

/** Milliseconds after which a text that the server could not take is tried again. */
const pause = 5000;

/** The texts on their way, in the order of sending. Owns them until the server has them; they outlive the page. */
export interface Outbox {
  readonly texts: ReadonlySignal<readonly Outgoing[]>;
  send(deviceId: string, content: string): void;
  /** Tries again: one text, or all that wait. Resolves when each was tried. */
  retry(nonce?: string): Promise<void>;
  discard(nonce: string): void;
  /**
   * Takes a message that the server tells of and that may be one of those on their way: the answer to the sending decides.
   * False where it cannot be one.
   */
  hold(message: DeviceMessageView): boolean;
}

type Kept = Pick<Outgoing, "nonce" | "deviceId" | "content" | "at">;

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && "nonce" in value && "deviceId" in value && "content" in value && "at" in value;

function readKept(shelf: Shelf): readonly Outgoing[] {
  const kept = shelf.names().map((name): unknown => JSON.parse(shelf.read(name) ?? "null"));
  return kept
    .filter(isKept)
    .toSorted((a, b) => a.at - b.at)
    .map((text) => ({ ...text, state: "waiting", problem: null }));
}

/** The outbox with what an earlier page left on the shelf. */
export function createOutbox({ send, stored, isLive, shelf }: OutboxOptions): Outbox {
  const texts = signal(readKept(shelf));
  const held = new Map<string, DeviceMessageView[]>();
  const chains = new Map<string, Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const find = (nonce: string): Outgoing | undefined => texts.value.find((text) => text.nonce === nonce);
  const change = (nonce: string, news: Pick<Outgoing, "state" | "problem">): void => {
    texts.value = texts.value.map((text) => (text.nonce === nonce ? { ...text, ...news } : text));
  };
  const remove = (nonce: string): void => {
    texts.value = texts.value.filter((text) => text.nonce !== nonce);
    shelf.remove(nonce);
  };
  const release = (nonce: string): void => {
    const messages = held.get(nonce) ?? [];
    held.delete(nonce);
    messages.forEach(stored);
  };
  /** A text does not overtake one that waits: they are printed in the order of typing. */
  const isBehind = (text: Outgoing): boolean =>
    texts.value.find(({ deviceId, state }) => deviceId === text.deviceId && state !== "failed")?.nonce !== text.nonce;
  const tryLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isLive()) void retry();
    }, pause);
  };
  const attempt = async (nonce: string): Promise<void> => {
    const text = find(nonce);
    if (text === undefined) return;
    if (text.state !== "failed" && isBehind(text)) return change(nonce, { state: "waiting", problem: text.problem });
    change(nonce, { state: "sending", problem: null });
    try {
      const message = await send(text);
      remove(nonce);
      stored(message);
    } catch (error) {
      const problem = problemOf(error);
      change(nonce, { state: isPassing(problem) ? "waiting" : "failed", problem });
      if (isPassing(problem)) tryLater();
    }
    release(nonce);
  };
  /** One after the other for each device. */
  const enqueue = (deviceId: string, nonce: string): Promise<void> => {
    const attempted = (chains.get(deviceId) ?? Promise.resolve()).then(() => attempt(nonce));
    chains.set(deviceId, attempted);
    return attempted;
  };
  async function retry(nonce?: string): Promise<void> {
    const again = texts.value.filter((text) => (nonce === undefined ? text.state === "waiting" : text.nonce === nonce));
    await Promise.all(again.map((text) => enqueue(text.deviceId, text.nonce)));
  }

  return {
    texts,
    send(deviceId, content) {
      const kept: Kept = { nonce: crypto.randomUUID(), deviceId, content, at: Date.now() };
      shelf.write(kept.nonce, JSON.stringify(kept));
      texts.value = [...texts.value, { ...kept, state: "sending", problem: null }];
      void enqueue(deviceId, kept.nonce);
    },
    retry,
    discard: remove,
    hold(message) {
      if (message.direction !== "to_device") return false;
      const own = texts.value.find(
        ({ deviceId, content, state }) =>
          state === "sending" && deviceId === message.deviceId && content === message.content,
      );
      if (own !== undefined) held.set(own.nonce, [...(held.get(own.nonce) ?? []), message]);
      return own !== undefined;
    },
  };
}
