import type { MessageStore } from "../messages/store.ts";

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
