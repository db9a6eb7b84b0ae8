import type { Outgoing } from "./outgoing-list.ts";

/**
 * Messages that arrive before the response to a send, and that may be the sent message: messages carry no nonce, so only the response
 * tells. If the page showed them immediately, it would show them twice.
 */
export interface Held<M> {
  /** Holds a message back where it may be one of these texts. False where it cannot be. */
  readonly hold: (message: M, texts: readonly Outgoing[]) => boolean;
  /** The messages that were held back for a text whose sending has ended. */
  readonly release: (nonce: string) => readonly M[];
}

export function createHeld<M>(canBe: (message: M, text: Outgoing) => boolean): Held<M> {
  const held = new Map<string, readonly M[]>();
  return {
    hold(message, texts) {
      const own = texts.find((text) => text.state === "sending" && canBe(message, text));
      if (own !== undefined) held.set(own.nonce, [...(held.get(own.nonce) ?? []), message]);
      return own !== undefined;
    },
    release(nonce) {
      const messages = held.get(nonce) ?? [];
      held.delete(nonce);
      return messages;
    },
  };
}
