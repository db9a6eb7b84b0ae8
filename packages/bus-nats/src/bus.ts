import type { Bus, BusEvent, BusMember } from "@telex/core";
import { busTopicOf } from "@telex/core";
import { createLink } from "./link.ts";
import { completeNatsOptions, type NatsBusOptions } from "./options.ts";
import { createSubjects } from "./subjects.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Publishers are trusted as much as the database. This check only finds events that another program published by mistake. */
const isEvent = (value: unknown): value is BusEvent =>
  typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";

function eventOf(payload: Uint8Array): BusEvent | null {
  try {
    const event: unknown = JSON.parse(decoder.decode(payload));
    return isEvent(event) ? event : null;
  } catch {
    return null;
  }
}

/**
 * Connects the servers of one installation over NATS. Each server receives only the events that it follows. The bus stores
 * nothing: events that are published while a server is disconnected do not reach it.
 *
 * `join` resolves when the server is connected, or after 5 s if NATS does not answer; it then connects later. It rejects if
 * NATS refuses the server.
 * @throws TypeError for an option that is unknown, missing or does not fit
 * @example
 * const bus = createNatsBus({ servers: ["nats://10.0.0.1:4222", "nats://10.0.0.2:4222"] });
 * const telex = await createTelex({ storage, blobs, images, bus });
 */
export function createNatsBus(options: NatsBusOptions): Bus {
  const complete = completeNatsOptions(options);
  const subjectOf = createSubjects(complete.installation);
  return {
    async join(receive): Promise<BusMember> {
      const link = createLink(complete, (payload) => {
        const event = eventOf(payload);
        if (event === null) return complete.log?.warn("bus.unreadable", { bytes: payload.length });
        try {
          receive(event);
        } catch (cause) {
          // An event without its fields must not end the subscription.
          complete.log?.error("bus.receive_failed", {}, cause);
        }
      });
      void link.subscribe(subjectOf(null));
      await link.open();
      return {
        publish(event) {
          link.publish(subjectOf(busTopicOf(event)), encoder.encode(JSON.stringify(event)));
        },
        follow: (topic) => link.subscribe(subjectOf(topic)),
        unfollow: (topic) => link.unsubscribe(subjectOf(topic)),
        leave: () => link.close(),
      };
    },
  };
}
