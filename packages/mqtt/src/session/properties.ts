import type { DeviceMessageView } from "@telex/core";
import type { IPublishPacket } from "mqtt-packet";

type Properties = Required<IPublishPacket>["properties"];

/** The longest life of a text, in seconds. Message Expiry Interval can be longer. */
const longestLife = 31_536_000;

/** The number in a user property. Other values are returned unchanged, and are rejected later. */
const numberIn = (value: unknown): unknown =>
  typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;

const withValues = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields of a text from the properties of its sender, unchecked. Message Expiry Interval is also a life. */
export function fieldsOf({ userProperties, messageExpiryInterval }: Properties): Readonly<Record<string, unknown>> {
  const { title, priority, life, at } = userProperties ?? {};
  const expiry = messageExpiryInterval === undefined ? undefined : Math.min(messageExpiryInterval, longestLife);
  return withValues({ title, priority: numberIn(priority), life: numberIn(life) ?? expiry, at });
}

/**
 * The properties of a text for its device.
 * @param life the seconds that are left; undefined for a text that does not expire
 */
export function propertiesOf(
  { id, createdAt, title, priority, via }: DeviceMessageView,
  life: number | undefined,
): Properties {
  return {
    ...(life !== undefined && { messageExpiryInterval: life }),
    userProperties: {
      id: String(id),
      createdAt,
      ...(title !== undefined && { title }),
      ...(priority !== undefined && { priority: String(priority) }),
      ...(via !== undefined && { via: via.name }),
    },
  };
}
