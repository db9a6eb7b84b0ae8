import { DeviceOrigin } from "../messages/origin.ts";
import type { KeptMessage } from "./kept.ts";

/**
 * The connections and devices that wait for messages of the outbox on this server, by the ids of the messages. They are not told of
 * their own.
 */
export type Origins = ReadonlyMap<string, object>;

/** The origin of a message that the outbox has kept: a device, or null. */
export const keptOrigin = ({ deviceId }: Pick<KeptMessage, "deviceId">): object | null =>
  deviceId === null ? null : new DeviceOrigin(deviceId);
