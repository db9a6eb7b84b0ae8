import type { Clock } from "../time/index.ts";
import type { Bus, BusMember } from "./bus.ts";
import { dispatch, type EventOf, type TableOf } from "./events.ts";
import { createFollowed, type Followed, type Following } from "./topics.ts";

/** The link of this server to the bus. Without a bus, it drops every event. */
export interface BusLink<M> extends Followed {
  /** False if this is the only server, and therefore the only writer of the store. */
  readonly hasPeers: boolean;
  publish(event: EventOf<M>): void;
  /** Starts to receive. */
  join(handlers: TableOf<M, void>): Promise<void>;
  /**
   * From then on, receives only the events that a leaving server still handles. Published events still reach the others until
   * this server leaves.
   */
  stopReceiving(): void;
  leave(): Promise<void>;
}

const alone: Following = { ready: Promise.resolve(), end() {} };

interface LinkDeps<M> {
  readonly clock: Clock;
  /** True for an event that is still received after `stopReceiving`. */
  readonly isForLeaving: (event: EventOf<M>) => boolean;
}

/** Creates a link. Before `join`, published events are lost, and topics cannot be followed. */
export function createBusLink<M>(bus: Bus<EventOf<M>> | null, { clock, isForLeaving }: LinkDeps<M>): BusLink<M> {
  let member: BusMember<EventOf<M>> | null = null;
  let followed: Followed | null = null;
  let isReceiving = true;
  return {
    hasPeers: bus !== null,
    publish: (event) => member?.publish(event),
    follow: (topic) => followed?.follow(topic) ?? alone,
    tick: () => followed?.tick(),
    async join(handlers) {
      const receive = (event: EventOf<M>): void => {
        if (isReceiving || isForLeaving(event)) dispatch(handlers, event);
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
