import type { RateUse } from "@telex/ground/rates";
import { topics, type TopicsOf } from "@telex/ground/bus";

export interface ServerBusEvents {
  /** An operator drains the servers with this name, over `time` milliseconds. `from` is the member that waits for an answer. */
  drain: { readonly server: string; readonly time: number; readonly from: string };
  /** Calls that the sending server has counted since it last published them. */
  rates_used: { readonly uses: readonly RateUse[] };
  /** The server with this name has begun to drain: for the member `to`. */
  drain_begun: { readonly server: string; readonly to: string };
  /** The sender has changed something, and waits until each server has seen the changes that are stored. `from` is where the answers go. */
  changes_ask: { readonly from: string; readonly key: string };
  /** This server has seen the changes: for the member `to`. */
  changes_seen: { readonly to: string; readonly server: string; readonly key: string };
}

export const serverBusTopics: TopicsOf<ServerBusEvents> = {
  drain: () => null,
  rates_used: () => null,
  drain_begun: ({ to }) => topics.server(to),
  changes_ask: () => null,
  changes_seen: ({ to }) => topics.server(to),
};
