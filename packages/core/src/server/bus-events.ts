import type { RateUse } from "@telex/ground/rates";
import { topics, type TopicsOf } from "../bus/topics.ts";

export interface ServerBusEvents {
  /** An operator drains the servers with this name, over `time` milliseconds. `from` is the member that waits for an answer. */
  drain: { readonly server: string; readonly time: number; readonly from: string };
  /** Calls that the sending server has counted since it last published them. */
  rates_used: { readonly uses: readonly RateUse[] };
  /** The server with this name has begun to drain: for the member `to`. */
  drain_begun: { readonly server: string; readonly to: string };
}

export const serverBusTopics: TopicsOf<ServerBusEvents> = {
  drain: () => null,
  rates_used: () => null,
  drain_begun: ({ to }) => topics.server(to),
};
