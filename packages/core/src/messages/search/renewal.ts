import type { Leases } from "@telex/ground/leases";
import type { MessageRecord } from "../../records/messages.ts";
import { type Pinyin, type SearchReader, textIn } from "@telex/search-terms";
import { nextTick } from "@telex/ground/concurrency";
import { jsonOrUndefined } from "@telex/ground/contract";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { RenewedMessage } from "./store.ts";
import type { MessageStore } from "../store.ts";

interface RenewalDeps {
  readonly store: Pick<MessageStore, "listOutdated" | "renew">;
  readonly pinyin: Pick<Pinyin, "text" | "nickname" | "hasTraditional">;
  readonly search: Pick<SearchReader, "terms">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Logger;
  readonly leases: Leases | null;
}

/** Gives messages that an earlier version has stored their pinyin and their terms again, in the background. */
export interface Renewal {
  begin(): void;
  end(): void;
}

/** Milliseconds until it begins again if the storage has failed. */
const retryPause = 30_000;
/** Milliseconds until it looks again: servers of the version before may store messages during an update. */
const lookPause = 600_000;
/** Milliseconds until it tries messages again that the store has left for the next time. */
const leftPause = 5000;
/** Milliseconds in which texts are read in one tick. */
const workOfTick = 2;
/** Messages that get another text in one step: each changes many rows of the index. */
const changedTogether = 8;

const leaseName = "renewal";

/** The pinyin of a stored content; null if that does not consist of segments. */
function pinyinOf(content: string, convert: Pinyin["text"]): string | null {
  const segments = jsonOrUndefined(content);
  if (!Array.isArray(segments)) return null;
  const readings = segments.map((segment: unknown) => {
    const text = textIn(segment);
    return text === null ? segment : { text: { text: convert(text) } };
  });
  return JSON.stringify(readings);
}

/** A message as it is stored now; `fresh` is null if its texts are read as before. */
function renewed({ pinyin, search }: RenewalDeps, message: MessageRecord): RenewedMessage {
  const { groupId, seq, id, content, nickname } = message;
  const place = { groupId, seq, id, content };
  if (!pinyin.hasTraditional(content) && !pinyin.hasTraditional(nickname)) return { ...place, fresh: null };
  const texts = { pinyin: pinyinOf(content, pinyin.text) ?? message.pinyin, nicknamePinyin: pinyin.nickname(nickname) };
  return { ...place, fresh: { ...texts, terms: search.terms({ ...message, ...texts }) } };
}

async function renewSome(deps: RenewalDeps, messages: readonly MessageRecord[]): Promise<void> {
  let begun = performance.now();
  const same: RenewedMessage[] = [];
  const changed: RenewedMessage[] = [];
  for (const message of messages) {
    const one = renewed(deps, message);
    (one.fresh === null ? same : changed).push(one);
    if (performance.now() - begun < workOfTick) continue;
    await nextTick();
    begun = performance.now();
  }
  if (same.length > 0) await deps.store.renew(same);
  for (let at = 0; at < changed.length; at += changedTogether) {
    await deps.store.renew(changed.slice(at, at + changedTogether));
  }
}

/** Renews messages in the background. The store holds the progress, so a kill loses nothing, and one server at a time works. */
export function createRenewal(deps: RenewalDeps): Renewal {
  const { store, clock, log, leases } = deps;
  const ending = new AbortController();
  let cancel = (): void => {};

  let messages = 0;
  let isWorking = false;

  /** Returns the pause until it begins again. */
  const renewAll = async (): Promise<number> => {
    for (let tried: ReadonlySet<number> = new Set(); ; await nextTick()) {
      const outdated = ending.signal.aborted ? [] : await store.listOutdated();
      const some = outdated.filter(({ id }) => !tried.has(id));
      const left = new Set(outdated.map(({ id }) => id));
      messages += tried.difference(left).size;
      if (some.length === 0) return left.size > 0 ? leftPause : lookPause;
      await renewSome(deps, some);
      tried = left;
    }
  };

  const tryAll = async (): Promise<number> => {
    try {
      const pause = await renewAll();
      if (pause === lookPause && messages > 0) log.info("messages.renewed", { messages });
      if (pause === lookPause) messages = 0;
      return pause;
    } catch (cause) {
      if (!ending.signal.aborted) log.error("messages.renewal_failed", {}, cause);
      return retryPause;
    }
  };

  const run = async (): Promise<void> => {
    // The lease may have been lost and taken again in the meantime.
    if (isWorking) return;
    isWorking = true;
    const pause = await tryAll();
    // Until it is let go of, it cannot be taken again.
    await lease?.release();
    isWorking = false;
    if (!ending.signal.aborted) cancel = clock.after(pause, begin);
  };

  const lease = leases?.open(leaseName, { held: () => void run(), lost: () => {} }) ?? null;

  const begin = (): void => {
    if (ending.signal.aborted) return;
    if (lease === null) void run();
    else lease.keep();
  };

  return {
    begin,
    end() {
      ending.abort();
      cancel();
    },
  };
}
