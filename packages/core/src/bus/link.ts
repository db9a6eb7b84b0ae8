import type { Clock } from "../time/clock.ts";
import type { Bus, BusEvent, BusMember } from "./bus.ts";
import { createFollowed, type Followed, type Following } from "./topics.ts";

/** What a server does when it receives an event, by its kind. */
type BusHandlers = {
  readonly [K in BusEvent["kind"]]: (event: Extract<BusEvent, { readonly kind: K }>) => void;
};

/** The place of this server on the bus of its installation, if there is one. */
export interface BusLink extends Followed {
  /** False if this is the only server: nobody else writes to the store. */
  readonly hasPeers: boolean;
  publish(event: BusEvent): void;
  /** Begins to receive. */
  join(handlers: BusHandlers): Promise<void>;
  /**
   * Receives nothing more but questions about the accounts of this server: who asks would wait for an answer. What is published still
   * reaches the others, until this server leaves.
   */
  stopReceiving(): void;
  leave(): Promise<void>;
}

function handle(handlers: BusHandlers, event: BusEvent): void {
  switch (event.kind) {
    case "message":
      return handlers.message(event);
    case "device_text":
      return handlers.device_text(event);
    case "device_presence":
      return handlers.device_presence(event);
    case "device_wake":
      return handlers.device_wake(event);
    case "room_presence":
      return handlers.room_presence(event);
    case "room_presence_state":
      return handlers.room_presence_state(event);
    case "room_presence_ask":
      return handlers.room_presence_ask(event);
    case "reply_ask":
      return handlers.reply_ask(event);
    case "reply_part":
      return handlers.reply_part(event);
    case "account_ask":
      return handlers.account_ask(event);
    case "account_answer":
      return handlers.account_answer(event);
    case "token_ended":
      return handlers.token_ended(event);
    default:
      // A server of a later version has published it.
      return event satisfies never;
  }
}

/** What is followed where nobody tells anything. */
const alone: Following = { ready: Promise.resolve(), end() {} };

/** Not joined yet: what is published before is lost, and nothing can be followed. */
export function createBusLink(bus: Bus | null, clock: Clock): BusLink {
  let member: BusMember | null = null;
  let followed: Followed | null = null;
  let isReceiving = true;
  return {
    hasPeers: bus !== null,
    publish: (event) => member?.publish(event),
    follow: (topic) => followed?.follow(topic) ?? alone,
    tick: () => followed?.tick(),
    async join(handlers) {
      const receive = (event: BusEvent): void => {
        if (isReceiving || event.kind === "account_ask") handle(handlers, event);
      };
      member = (await bus?.join(receive)) ?? null;
      followed = member === null ? null : createFollowed(member, clock);
    },
    stopReceiving: () => void (isReceiving = false),
    async leave() {
      const left = member;
      member = null;
      followed = null;
      await left?.leave();
    },
  };
}
