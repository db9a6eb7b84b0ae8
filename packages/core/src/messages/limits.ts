import { minute, second } from "../time/units.ts";

const mib = 1024 * 1024;

/** The limits of messages of chat rooms. */
export interface MessagesLimits {
  /** Milliseconds for which a sender can recall a message. */
  readonly recallTime: number;
  /** Missed messages that `since` replays; more are announced by a gap. */
  readonly replayMessages: number;
  /** Bytes of content and pinyin that `since` replays; more are announced by a gap. */
  readonly replayBytes: number;
  /** Replays that run simultaneously; the others wait. */
  readonly replaysAtOnce: number;
  /** Searches that run simultaneously; the others wait, and the users take turns. */
  readonly searchesAtOnce: number;
  /** Searches of one user that run simultaneously. */
  readonly searchesOfUserAtOnce: number;
  /** Searches that may wait; more are refused. */
  readonly searchQueue: number;
  /** Searches of one user that may wait. */
  readonly searchQueueOfUser: number;
  /** Milliseconds that a search may wait. */
  readonly searchWait: number;
  /** Milliseconds that a message of a room waits for an earlier one, from another server, before that is read from the store. */
  readonly lateMessageWait: number;
  /** Milliseconds between checks for messages of rooms that the bus lost. */
  readonly lostMessageCheck: number;
  /** Members of a room walked in one tick. */
  readonly fanOutSlice: number;
  /** Nicknames and group names whose pinyin is kept. */
  readonly nameCacheEntries: number;
}

/** The default of each limit. */
export const messagesLimits: MessagesLimits = {
  recallTime: 2 * minute,
  replayMessages: 1000,
  replayBytes: mib,
  replaysAtOnce: 4,
  searchesAtOnce: 4,
  searchesOfUserAtOnce: 2,
  searchQueue: 256,
  searchQueueOfUser: 16,
  searchWait: 10 * second,
  lateMessageWait: second / 10,
  lostMessageCheck: 2.5 * second,
  fanOutSlice: 128,
  nameCacheEntries: 2000,
};
