import type { Clock, GatewayInbox } from "@telex/core";
import { TelexError } from "@telex/core";
import type { Dialect, HistoryKey, Open } from "../wire/dialect.ts";
import type { MessageEvent } from "../wire/events.ts";
import type { Ask } from "../wire/frames.ts";
import type { BotFaults } from "../link/faults.ts";
import type { createReceiving } from "./receive.ts";

/** The maximum messages of each room, and the maximum rooms, that are requested. */
const most = { messages: 100, rooms: 500 } as const;
/** Milliseconds for the implementation to return the history of a room. */
const answerTime = 5000;

interface CatchUpDeps {
  readonly account: string;
  readonly clock: Clock;
  readonly faults: BotFaults;
  readonly inbox: () => GatewayInbox | null;
  readonly ask: Ask;
  readonly open: Open;
  readonly receiving: Pick<ReturnType<typeof createReceiving>, "takeOlder">;
}

/** A room whose history is requested. `since`: Unix milliseconds. */
interface Missed extends HistoryKey {
  readonly since: number;
}

/**
 * Fetches the messages of the rooms of an account from the time it was not online, one room after another. A message that is stored already is
 * not stored again.
 */
export function createCatchUp({ account, clock, faults, inbox, ask, open, receiving }: CatchUpDeps) {
  let round = 0;

  /** The messages of a room, the oldest first; null if the implementation has no history, or does not answer in time. */
  const load = async (dialect: Dialect, { since, ...place }: Missed): Promise<readonly MessageEvent[] | null> => {
    const action = dialect.history(place.room, most.messages);
    if (action === null) return null;
    const late = new AbortController();
    const cancel = clock.after(answerTime, () => late.abort());
    const answer = await ask(action, late.signal).finally(cancel);
    if (answer.outcome !== "ok") return null;
    // The network counts in seconds.
    const from = Math.floor(since / 1000) * 1000;
    // A message without an id cannot be distinguished from stored ones.
    const isMissed = ({ createTime, messageId }: MessageEvent): boolean => createTime >= from && messageId !== null;
    const missed = dialect.readHistory(answer.data, place, open).filter(isMissed);
    return missed.toSorted((a, b) => a.createTime - b.createTime).slice(-most.messages);
  };
  const run = async (dialect: Dialect, ext: string): Promise<void> => {
    const current = (round += 1);
    const rooms = (await inbox()?.listRooms(account)) ?? [];
    for (const { room, since } of rooms.slice(0, most.rooms)) {
      let isTold = false;
      await receiving.takeOlder(room, dialect, async () => {
        const messages = current === round ? await load(dialect, { room, ext, since }) : null;
        isTold = messages !== null;
        return messages ?? [];
      });
      // The connection has ended, or the implementation has no histories: then those of other rooms are not requested.
      if (!isTold) return;
    }
  };
  return {
    /** Ends an earlier run. */
    run: (dialect: Dialect, ext: string): void =>
      void run(dialect, ext).catch((cause: unknown) => {
        if (!TelexError.is(cause)) faults.failed(account, "catch up", cause);
      }),
    stop: () => void (round += 1),
  };
}
