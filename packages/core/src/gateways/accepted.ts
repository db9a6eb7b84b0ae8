import { DeviceOrigin } from "../contract/device-origin.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { KeptMessage } from "./kept.ts";

/** A message for a network that somebody on this server waits for. */
export interface AcceptedSend {
  /** The connection or device on which it was said, to which it is not sent; null for none. */
  readonly origin: object | null;
  readonly outcome: Promise<MessageRecord>;
}

/** The messages that this server has accepted and whose outcome is not known yet, by their ids in the outbox. */
export type AcceptedSends = ReadonlyMap<string, AcceptedSend>;

/** The origin of a message that the outbox has kept: a device, or null. */
export const keptOrigin = ({ deviceId }: Pick<KeptMessage, "deviceId">): object | null =>
  deviceId === null ? null : new DeviceOrigin(deviceId);
