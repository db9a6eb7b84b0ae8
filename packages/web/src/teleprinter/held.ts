import type { DeviceMessageView } from "@telex/core";
import type { Outgoing } from "./outgoing-list.ts";

/**
 * Messages that the server tells of before it has answered the sending, and that may be what is being sent: messages carry
 * no nonce, so only the answer tells. If they were shown immediately, they would be on the paper twice.
 */
export interface Held {
  /** Holds a message back where it may be one of these texts. False where it cannot be. */
  readonly hold: (message: DeviceMessageView, texts: readonly Outgoing[]) => boolean;
  /** The messages that were held back for a text whose sending has ended. */
  readonly release: (nonce: string) => readonly DeviceMessageView[];
}

/** Nothing is held back. */
export function createHeld(): Held {
  const held = new Map<string, readonly DeviceMessageView[]>();
  return {
    hold(message, texts) {
      if (message.direction !== "to_device") return false;
      const own = texts.find(
        ({ deviceId, content, state }) =>
          state === "sending" && deviceId === message.deviceId && content === message.content,
      );
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
