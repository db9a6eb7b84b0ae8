import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createAttempts } from "../../base/attempts.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Server } from "../../server/server.ts";
import {
  append,
  begin,
  deliver,
  floorOf,
  type Missed,
  type Page,
  putBefore,
  takeMissed,
  type Unrolled,
} from "./unrolled.ts";

/** The roll of one device: the loaded part of its texts. Owns the texts of that device. */
export interface Roll {
  readonly deviceId: string;
  /** Null until the newest page is loaded. */
  readonly unrolled: ReadonlySignal<Unrolled | null>;
  readonly loading: ReadonlySignal<boolean>;
  /** The failure of the last attempt to load. */
  readonly problem: ReadonlySignal<Problem | null>;
  /** Loads the newest page, and with each further call the next older page. Only one load runs at a time. */
  readonly load: () => Promise<void>;
  /**
   * Fetches missed texts, down to the last one without a gap before it and to the oldest undelivered one.
   * @throws the errors of the server
   */
  readonly catchUp: () => Promise<void>;
  readonly receive: (message: DeviceMessageView) => void;
  readonly delivered: (ids: readonly number[]) => void;
}

export interface RollOptions {
  readonly deviceId: string;
  readonly page: Server["teleprinter"]["messages"];
  /** True while events arrive. */
  readonly isLive: () => boolean;
  readonly sizes?: RollSizes;
}

interface RollSizes {
  /** Texts per page of history. */
  readonly page: number;
  /** Texts per page of missed texts. */
  readonly missedPage: number;
  /** The maximum number of pages of missed texts. If more were missed, a new roll begins, and the rest is loaded as history. */
  readonly missedPages: number;
}

const defaultSizes: RollSizes = { page: 50, missedPage: 100, missedPages: 10 };

/** Fetches texts from the newest down to the loaded ones, and further to the oldest that waits for the device. */
async function fetchMissed({ page, deviceId, sizes = defaultSizes }: RollOptions, unrolled: Unrolled): Promise<Missed> {
  const messages: DeviceMessageView[] = [];
  const floor = floorOf(unrolled);
  let oldest = Infinity;
  for (let pages = 0; oldest > floor && (pages < sizes.missedPages || oldest <= unrolled.completeUpTo); pages += 1) {
    const cursor = messages.at(-1)?.id;
    const part = await page({ deviceId, pageSize: sizes.missedPage, ...(cursor === undefined ? {} : { cursor }) });
    messages.push(...part.messages);
    oldest = messages.at(-1)?.id ?? 0;
    if (part.nextPageCursor === null) return { messages, more: false };
  }
  return { messages, more: true };
}

/** Texts that were reported as delivered. The page that contains them may arrive later with an older state. */
function createDelivered(unrolled: Signal<Unrolled | null>) {
  const deliveredIds = new Set<number>();
  return {
    notice: (ids: readonly number[]): void => ids.forEach((id) => deliveredIds.add(id)),
    delivering: (grown: Unrolled): void => {
      unrolled.value = deliver(grown, deliveredIds);
    },
  };
}

/** The loaded texts, including those that arrived as events before the first page. */
function createLoaded() {
  const unrolled = signal<Unrolled | null>(null);
  let early: readonly DeviceMessageView[] = [];
  const { notice, delivering } = createDelivered(unrolled);
  const takePage = (cursor: number | undefined, part: Page): void => {
    const before = unrolled.value;
    delivering(before === null || cursor === undefined ? begin(part, early) : putBefore(before, cursor, part));
    early = [];
  };
  const receive = (message: DeviceMessageView, isLive: boolean): void => {
    if (message.delivered === 1) notice([message.id]);
    if (unrolled.value === null) early = [...early, message];
    else unrolled.value = append(unrolled.value, message, isLive);
  };
  const delivered = (ids: readonly number[]): void => {
    notice(ids);
    if (unrolled.value !== null) delivering(unrolled.value);
  };
  return { unrolled, unroll: delivering, takePage, receive, delivered };
}

/** Loads pages of history, one at a time. */
function createLoading({ deviceId, page, sizes = defaultSizes }: RollOptions, loaded: ReturnType<typeof createLoaded>) {
  const { unrolled, takePage } = loaded;
  const { loading, problem, attempt } = createAttempts(problemOf);
  let inProgress: Promise<void> = Promise.resolve();
  const loadPage = async (): Promise<void> => {
    if (unrolled.value?.isComplete === true) return;
    const cursor = unrolled.value?.texts[0]?.id;
    takePage(cursor, await page({ deviceId, pageSize: sizes.page, ...(cursor === undefined ? {} : { cursor }) }));
  };
  const load = (): Promise<void> => {
    if (!loading.value) inProgress = attempt(loadPage);
    return inProgress;
  };
  return { loading, problem, load, inProgress: () => inProgress };
}

export function createRoll(options: RollOptions): Roll {
  const { deviceId, isLive } = options;
  const loaded = createLoaded();
  const { unrolled, unroll, receive, delivered } = loaded;
  const { loading, problem, load, inProgress } = createLoading(options, loaded);
  const catchUp = async (): Promise<void> => {
    await inProgress();
    if (unrolled.value === null) return;
    const missed = await fetchMissed(options, unrolled.value);
    unroll(takeMissed(unrolled.value, missed));
  };
  const take = (message: DeviceMessageView): void => receive(message, isLive());
  return { deviceId, unrolled, loading, problem, load, catchUp, receive: take, delivered };
}
