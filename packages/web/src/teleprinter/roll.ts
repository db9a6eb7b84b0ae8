import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../session/problem.ts";
import type { Server } from "../session/server.ts";
import { markDelivered, merge, type Texts } from "./message.ts";

/** The paper of one device: what has been printed, as far as it is unrolled. Owns the texts of that device. */
export interface Roll {
  readonly deviceId: string;
  /** Ascending by id; null until the newest page is there. */
  readonly texts: ReadonlySignal<Texts | null>;
  /** How many texts were put before those that were there first. */
  readonly before: ReadonlySignal<number>;
  /** True when there is nothing older. */
  readonly whole: ReadonlySignal<boolean>;
  readonly loading: ReadonlySignal<boolean>;
  /** Why the last attempt to load failed. */
  readonly problem: ReadonlySignal<Problem | null>;
  /** Loads the newest page where there is none, else the next older one. One at a time. */
  load(): Promise<void>;
  /**
   * Fetches what was missed: down to the newest text known, and to the oldest that was not delivered.
   * @throws what a call throws
   */
  catchUp(): Promise<void>;
  receive(message: DeviceMessageView): void;
  delivered(ids: readonly number[]): void;
}

const pageSize = 50;
/** Pages of 100 that catching up fetches at most; whoever missed more begins a new roll, and unrolls it as history. */
const catchUpPages = 10;

/** The oldest text that waits for the device: what catches up sees it again. */
const oldestWaiting = (texts: Texts): number =>
  texts.find(({ direction, delivered }) => direction === "to_device" && delivered === 0)?.id ?? Infinity;

interface Fetched {
  readonly messages: readonly DeviceMessageView[];
  readonly oldest: number;
  readonly more: boolean;
}

async function fetchDown(page: Server["teleprinter"]["messages"], deviceId: string, floor: number): Promise<Fetched> {
  const messages: DeviceMessageView[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < catchUpPages && cursor !== null; pages += 1) {
    const part = await page({ deviceId, pageSize: 100, ...(cursor === undefined ? {} : { cursor }) });
    messages.push(...part.messages);
    cursor = part.nextPageCursor;
    if ((messages.at(-1)?.id ?? 0) <= floor) break;
  }
  return { messages, oldest: messages.at(-1)?.id ?? 0, more: cursor !== null };
}

/** What a roll needs. */
export interface RollOptions {
  readonly deviceId: string;
  readonly page: Server["teleprinter"]["messages"];
  /** True while everything that happens is told: then what arrives follows on what is known. */
  readonly isLive: () => boolean;
}

/** A roll of which nothing is unrolled yet. */
export function createRoll({ deviceId, page, isLive }: RollOptions): Roll {
  const texts = signal<Texts | null>(null);
  const before = signal(0);
  const whole = signal(false);
  const loading = signal(false);
  const problem = signal<Problem | null>(null);
  /** Everything up to this id is known; what is known above it may have holes. */
  let sure = 0;
  let early: readonly DeviceMessageView[] = [];
  let underWay: Promise<void> = Promise.resolve();

  const newest = (): number => texts.value?.at(-1)?.id ?? 0;
  const loadPage = async (): Promise<void> => {
    const known = texts.value;
    const cursor = known?.[0]?.id;
    const part = await page({ deviceId, pageSize, ...(cursor === undefined ? {} : { cursor }) });
    if (known === null) {
      texts.value = merge(merge([], part.messages), early);
      sure = part.messages[0]?.id ?? 0;
      early = [];
    } else if (texts.value?.[0]?.id === cursor) {
      const grown = merge(texts.value ?? [], part.messages);
      before.value += grown.length - (texts.value?.length ?? 0);
      texts.value = grown;
    } else return;
    whole.value = part.nextPageCursor === null;
  };
  const load = async (): Promise<void> => {
    loading.value = true;
    problem.value = null;
    try {
      await loadPage();
    } catch (error) {
      problem.value = problemOf(error);
    }
    loading.value = false;
  };
  const takeIn = ({ messages, oldest, more }: Fetched): void => {
    const known = texts.value ?? [];
    if (oldest <= sure || !more) texts.value = merge(known, messages);
    else {
      // Between what was known and what was fetched there is more: it comes back as history.
      texts.value = merge(merge([], messages), known.filter(({ id }) => id >= oldest));
      before.value = 0;
      whole.value = false;
    }
    sure = newest();
  };
  return {
    deviceId,
    texts,
    before,
    whole,
    loading,
    problem,
    load() {
      if (!loading.value) underWay = load();
      return underWay;
    },
    async catchUp() {
      await underWay;
      if (texts.value === null) return;
      takeIn(await fetchDown(page, deviceId, Math.min(sure, oldestWaiting(texts.value))));
    },
    receive(message) {
      if (texts.value === null) {
        early = [...early, message];
        return;
      }
      texts.value = merge(texts.value, [message]);
      if (isLive()) sure = newest();
    },
    delivered(ids) {
      if (texts.value !== null) texts.value = markDelivered(texts.value, ids);
    },
  };
}
