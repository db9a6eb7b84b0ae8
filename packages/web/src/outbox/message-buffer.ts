import type { Outgoing } from "./outgoing-list.ts";

/**
 * Messages that arrive before the response to a send, and that may be the sent message. Messages contain no nonce, so only the response
 * identifies the sent message. If the page showed them immediately, it would show that message twice.
 */
export interface MessageBuffer<M> {
  /** Holds a message back if it may be one of these texts. Returns false otherwise. */
  readonly hold: (message: M, texts: readonly Outgoing[]) => boolean;
  /** Returns the messages that were held back for a text whose sending has ended. */
  readonly release: (nonce: string) => readonly M[];
}

export function createMessageBuffer<M>(canBe: (message: M, text: Outgoing) => boolean): MessageBuffer<M> {
  const buffered = new Map<string, readonly M[]>();
  return {
    hold(message, texts) {
      const text = texts.find((each) => each.state === "sending" && canBe(message, each));
      if (text !== undefined) buffered.set(text.nonce, [...(buffered.get(text.nonce) ?? []), message]);
      return text !== undefined;
    },
    release(nonce) {
      const messages = buffered.get(nonce) ?? [];
      buffered.delete(nonce);
      return messages;
    },
  };
}
