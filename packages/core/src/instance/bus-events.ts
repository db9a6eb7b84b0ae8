import { type AiBusEvents, aiBusTopics } from "../ai/bus-events.ts";
import { type GatewaysBusEvents, gatewaysBusTopics } from "../gateways/bus-events.ts";
import { type MessagesBusEvents, messagesBusTopics } from "../messages/bus-events.ts";
import { type RoomsBusEvents, roomsBusTopics } from "../rooms/bus-events.ts";
import { type ServerBusEvents, serverBusTopics } from "../server/bus-events.ts";
import { type TeleprinterBusEvents, teleprinterBusTopics } from "../teleprinter/bus-events.ts";
import { type UsersBusEvents, usersBusTopics } from "../users/bus-events.ts";
import { createLocalBusOf, dispatch } from "@telex/ground/bus";
import type {
  Bus as BusOf,
  BusLink as BusLinkOf,
  BusMember as BusMemberOf,
  EventOf,
  TopicsOf,
} from "@telex/ground/bus";

/** Events between the servers of an installation, by the capability that declares them. */
export interface BusEvents
  extends
    AiBusEvents,
    GatewaysBusEvents,
    MessagesBusEvents,
    RoomsBusEvents,
    ServerBusEvents,
    TeleprinterBusEvents,
    UsersBusEvents {}

/**
 * An event from one server for the other servers of its installation. It is plain JSON. A later version may add kinds:
 * a server ignores kinds that it does not know.
 */
export type BusEvent = EventOf<BusEvents>;

/** The connection of one server to a bus. */
export interface BusMember extends BusMemberOf<BusEvent> {}

/**
 * Connects the servers of one installation. A bus MAY lose, double, delay and reorder events: the store is the truth,
 * and a receiver that misses something reads it there. Lost events make changes visible later, never wrongly.
 */
export interface Bus extends BusOf<BusEvent> {}

export interface BusLink extends BusLinkOf<BusEvents> {}

const busTopics: TopicsOf<BusEvents> = {
  ...aiBusTopics,
  ...gatewaysBusTopics,
  ...messagesBusTopics,
  ...roomsBusTopics,
  ...serverBusTopics,
  ...teleprinterBusTopics,
  ...usersBusTopics,
};

/**
 * The topic of an event, such as `room:3`, `user:7` or `device:printer-1`: only members that follow it have receivers.
 * @returns null if every member must receive the event
 */
export const busTopicOf = (event: BusEvent): string | null => dispatch(busTopics, event) ?? null;

/**
 * A bus for several instances in one process that share a storage. It loses nothing and keeps the order.
 * @example
 * const bus = createLocalBus();
 * const one = await createTelex({ ...options, bus });
 * const other = await createTelex({ ...options, bus });
 */
export const createLocalBus = (): Bus => createLocalBusOf(busTopicOf);
