import { minute, second } from "@telex/ground/time";

const mib = 1024 * 1024;

export const messagesLimits = {
  /** Milliseconds for which a sender can recall a message. */
  recallTime: 2 * minute,
  /** Missed messages that `since` replays; more are announced by a gap. */
  replayMessages: 1000,
  /** Bytes of content and pinyin that `since` replays; more are announced by a gap. */
  replayBytes: mib,
  /** Replays that run simultaneously, and rooms whose lost messages are read simultaneously; the others wait. */
  replaysAtOnce: 4,
  /** Searches that run simultaneously; the others wait, and the users take turns. */
  searchesAtOnce: 4,
  /** Searches of one user that run simultaneously. */
  searchesOfUserAtOnce: 2,
  /** Searches that may wait; more are refused. */
  searchQueue: 256,
  /** Searches of one user that may wait. */
  searchQueueOfUser: 16,
  /** Milliseconds that a search may wait. */
  searchWait: 10 * second,
  /** Milliseconds that a message of a room waits for an earlier one, from another server, before that is read from the store. */
  lateMessageWait: second / 10,
  /** Milliseconds between checks for messages of rooms that the bus lost. */
  lostMessageCheck: 2.5 * second,
  /** Members of a room walked in one tick. */
  fanOutSlice: 128,
  /** Tokens of the messages of a room in a request to a model. */
  roomTokens: 8000,
  /** Nicknames and group names whose pinyin is kept. */
  nameCacheEntries: 2000,
};

export interface MessagesLimits extends Readonly<typeof messagesLimits> {}
