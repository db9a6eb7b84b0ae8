import { topics, type TopicsOf } from "@telex/ground/bus";
import type { GatewayReaction, GatewayRecall, NetworkRoom } from "../networks/gateway.ts";

export type AccountQuestion = { readonly account: string } & (
  | { readonly name: "recall"; readonly recall: GatewayRecall }
  | { readonly name: "react"; readonly reaction: GatewayReaction }
  | { readonly name: "members"; readonly room: NetworkRoom }
  | { readonly name: "member"; readonly room: NetworkRoom; readonly ext: string }
  /** Asks if the connection of a holder is alive, because another server wants the account. */
  | { readonly name: "alive" }
);

/** Asks if a connection still holds the queue of a device in this name. With `takesOver`, it is replaced. */
interface HolderQuestion {
  readonly name: "holder";
  readonly holder: string;
  readonly takesOver?: true;
}

export type ServerQuestion = AccountQuestion | HolderQuestion;

export interface GatewaysBusEvents {
  /**
   * The server `asker` asks the server `server` to do something with an account that `server` has, or for a holder of texts. It asks again until it is
   * answered: a question with the same `key` is the same question.
   */
  account_ask: {
    readonly server: string;
    readonly asker: string;
    readonly key: string;
    readonly question: ServerQuestion;
  };
  /** Answers the question with this key of the server `server`, as JSON; null: it is being done. */
  account_answer: { readonly server: string; readonly key: string; readonly answer: string | null };
  /** Messages of a room wait in the outbox for an account that the server `server` has. Lost: it finds them within half a second. */
  send_wake: { readonly server: string; readonly account: string; readonly groupId: number };
  /** The message with this id, which the server `server` has accepted, has left the outbox or has an outcome there. Lost: it looks within half a second. */
  send_done: { readonly server: string; readonly id: string };
}

export const gatewaysBusTopics: TopicsOf<GatewaysBusEvents> = {
  account_ask: ({ server }) => topics.server(server),
  account_answer: ({ server }) => topics.server(server),
  send_wake: ({ server }) => topics.server(server),
  send_done: ({ server }) => topics.server(server),
};
