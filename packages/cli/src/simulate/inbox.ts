import type { DeviceMessageView } from "@telex/core";

/** Maximum ids that a device remembers to recognize repeats. */
const memory = 10_000;

/** Processes messages that may arrive more than once. */
export interface Inbox {
  /** The highest processed id. The server may forget everything up to it. */
  readonly ack: () => number;
  take(messages: readonly DeviceMessageView[]): Promise<void>;
}

function remember(seen: Set<number>, id: number): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > memory && oldest !== undefined) seen.delete(oldest);
}

export function createInbox(use: (message: DeviceMessageView) => Promise<void>): Inbox {
  const seen = new Set<number>();
  let ack = 0;
  return {
    ack: () => ack,
    async take(messages) {
      for (const message of messages) {
        if (seen.has(message.id)) continue;
        await use(message);
        remember(seen, message.id);
        ack = Math.max(ack, message.id);
      }
    },
  };
}
