import type { MessageStore } from "../messages/store.ts";

/** The verbs for messages of external networks, and for the outbox. */
export type NetworkMessageStore = Pick<
  MessageStore,
  | "append"
  | "assignNumber"
  | "claimSend"
  | "findNetworkMessage"
  | "findNextSend"
  | "findPerson"
  | "finishSend"
  | "listNetworkIds"
  | "listSends"
  | "listStartedSends"
  | "listWaitingRooms"
  | "startSend"
  | "touchSends"
>;
