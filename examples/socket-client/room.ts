import { type Follower, followChannel } from "@telex/ws/client";

/** Whose rooms are read, and from where on. */
export interface Reading {
  readonly url: string;
  readonly token: string;
  /** The id of the last message that is known. */
  readonly since: string;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** Prints what others say in the rooms of a user, also what they said while there was no connection. */
export const readRooms = ({ url, token, since, signal, print }: Reading): Follower<"rooms"> =>
  followChannel({
    url,
    token,
    channel: "rooms",
    query: { since },
    signal,
    onEvent({ type, data }) {
      if (type === "GroupMessage") print(`${data.nickname}: ${data.content}`);
      if (type === "Gap") print(`Too much was missed: page the history of room ${data.groupId} down to ${data.since}.`);
    },
    onState(state) {
      if (state.kind === "waiting") print(`Not connected: ${state.cause.message}`);
      if (state.kind === "closed") print(`Ended: ${state.cause.message}`);
    },
  });
