import type { DeviceMessageView } from "@telex/core";

/** Ids that a device remembers, so that what comes twice is used once. */
const memory = 10_000;

/** What a device does with messages that may come more than once. */
export interface Inbox {
  /** The greatest id that was used: everything up to it may be forgotten by the server. */
  readonly ack: () => number;
  take(messages: readonly DeviceMessageView[]): Promise<void>;
}

/** An inbox that has seen nothing. */
export function createInbox(use: (message: DeviceMessageView) => Promise<void>): Inbox {
  const seen = new Set<number>();
  let ack = 0;
  const remember = (id: number): void => {
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > memory && oldest !== undefined) seen.delete(oldest);
  };
  return {
    ack: () => ack,
    async take(messages) {
      for (const message of messages) {
        if (seen.has(message.id)) continue;
        await use(message);
        remember(message.id);
        ack = Math.max(ack, message.id);
      }
    },
  };
}
