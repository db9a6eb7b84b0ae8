import type { MessageStore } from "../messages/store.ts";

/** The verbs for messages of external networks, and for the outbox. */
export type NetworkMessageStore = Pick<
  MessageStore,
  | "append"
  | "assignNumber"
  | "cancelSend"
  | "claimSend"
  | "dropSend"
  | "findNetworkMessage"
  | "findPerson"
  | "findSend"
  | "listNetworkIds"
  | "listStartedSends"
  | "startSend"
>;
