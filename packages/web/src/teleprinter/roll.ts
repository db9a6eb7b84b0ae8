import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../session/problem.ts";
import type { Server } from "../session/server.ts";
import { append, begin, deliver, floorOf, type Missed, putBefore, takeMissed, type Unrolled } from "./unrolled.ts";

/** The paper of one device: what has been printed, as far as it is unrolled. Owns the texts of that device. */
export interface Roll {
  readonly deviceId: string;
  /** Null until the newest page is there. */
  readonly unrolled: ReadonlySignal<Unrolled | null>;
  readonly loading: ReadonlySignal<boolean>;
  /** Why the last attempt to load failed. */
  readonly problem: ReadonlySignal<Problem | null>;
  /** Loads the newest page where there is none, else the next older one. One at a time. */
  readonly load: () => Promise<void>;
  /**
   * Fetches what was missed: down to the newest text known for sure, and to the oldest that was not delivered.
   * @throws what a call throws
   */
  readonly catchUp: () => Promise<void>;
  readonly receive: (message: DeviceMessageView) => void;
  readonly delivered: (ids: readonly number[]) => void;
}

/** What a roll needs. */
export interface RollOptions {
  readonly deviceId: string;
  readonly page: Server["teleprinter"]["messages"];
  /** True while everything that happens is told. */
  readonly isLive: () => boolean;
}

const pageSize = 50;
const catchUpPageSize = 100;
/** Pages that catching up fetches at most; whoever missed more begins a new roll, and unrolls it as history. */
const catchUpPages = 10;

async function fetchDown({ page, deviceId }: RollOptions, floor: number): Promise<Missed> {
  const messages: DeviceMessageView[] = [];
  let cursor: number | undefined;
  for (let pages = 0; pages < catchUpPages; pages += 1) {
    const part = await page({ deviceId, pageSize: catchUpPageSize, ...(cursor === undefined ? {} : { cursor }) });
    messages.push(...part.messages);
    cursor = messages.at(-1)?.id;
    if (part.nextPageCursor === null) return { messages, more: false };
    if (cursor !== undefined && cursor <= floor) break;
  }
  return { messages, more: true };
}

/** A roll of which nothing is unrolled yet. */
export function createRoll(options: RollOptions): Roll {
  const { deviceId, page, isLive } = options;
  const unrolled = signal<Unrolled | null>(null);
  const loading = signal(false);
  const problem = signal<Problem | null>(null);
  let told: readonly DeviceMessageView[] = [];
  let underWay: Promise<void> = Promise.resolve();

  const loadPage = async (): Promise<void> => {
    const cursor = unrolled.value?.texts[0]?.id;
    const part = await page({ deviceId, pageSize, ...(cursor === undefined ? {} : { cursor }) });
    const known = unrolled.value;
    unrolled.value = known === null || cursor === undefined ? begin(part, told) : putBefore(known, cursor, part);
    told = [];
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
  return {
    deviceId,
    unrolled,
    loading,
    problem,
    load() {
      if (!loading.value) underWay = load();
      return underWay;
    },
    async catchUp() {
      await underWay;
      if (unrolled.value === null) return;
      const missed = await fetchDown(options, floorOf(unrolled.value));
      unrolled.value = takeMissed(unrolled.value, missed);
    },
    receive(message) {
      if (unrolled.value === null) told = [...told, message];
      else unrolled.value = append(unrolled.value, message, isLive());
    },
    delivered(ids) {
      if (unrolled.value !== null) unrolled.value = deliver(unrolled.value, ids);
    },
  };
}
