import { topics, type TopicsOf } from "../bus/topics.ts";

/** Events between servers about the servers. */
export interface ServerBusEvents {
  /** An operator drains the servers with this name, over `time` milliseconds. `from` is the member that waits for an answer. */
  drain: { readonly server: string; readonly time: number; readonly from: string };
  /** The server with this name has begun to drain: for the member `to`. */
  drain_begun: { readonly server: string; readonly to: string };
}

/** See {@link ServerBusEvents}. */
export const serverBusTopics: TopicsOf<ServerBusEvents> = {
  drain: () => null,
  drain_begun: ({ to }) => topics.server(to),
};
