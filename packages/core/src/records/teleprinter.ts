import { z } from "zod";
import { flag, integer, integerOrNull, text, textOrNull, texts } from "@telex/ground/records";

/** The fields of a device: types, transfer and the columns of SQLite derive from them. */
export const deviceRecord = z.strictObject({
  deviceId: text,
  name: text,
  /** The user who owns the ID. */
  owner: integer,
  /** Unix milliseconds. */
  createdAt: integer,
  /** Unix milliseconds of the last sign of life. */
  lastSeen: integer,
  /** True from an explicit `offline` until the next sign of life. */
  away: flag,
  /** The AI model that replies to the device; null for none. */
  ai: textOrNull,
  /** The room whose messages the device prints, and to which its texts are sent; null for none. */
  roomId: integerOrNull,
  /** True if of the room only what mentions the owner is printed. */
  roomMentions: flag,
  /** Words by which the owner names several devices. */
  tags: texts.readonly().default([]),
  /** The program of the device and its version; null if the device never said. */
  program: textOrNull.default(null),
  /** How the device is connected; null if it never said. */
  transport: textOrNull.default(null),
  /** Words for what the device can do. */
  can: texts.readonly().default([]),
  /** The reason why the device cannot take texts; null if it can. */
  fault: textOrNull.default(null),
  /** Unix milliseconds since when the device has its fault. */
  faultAt: integerOrNull.default(null),
});

/** The fields that a device has when it is new, besides those that its claim gives. */
export const newDevice = {
  ai: null,
  roomId: null,
  roomMentions: false,
  tags: [],
  program: null,
  transport: null,
  can: [],
  fault: null,
  faultAt: null,
} as const;

/** A registered device. */
export interface DeviceRecord extends Readonly<z.output<typeof deviceRecord>> {}

/** The fields of a text to or from a device. */
export const deviceMessageRecord = z.strictObject({
  deviceId: text,
  /** Increases in the order of commit within a device; never assigned twice, not even after `releaseDevice`. */
  id: integer,
  direction: z.literal(["to_device", "from_device"]),
  content: text,
  delivered: flag,
  /** Unix milliseconds. */
  createdAt: integer,
  /** True for a text that was said in a room as well. */
  room: flag,
});

/** A stored teleprinter message. */
export interface DeviceMessageRecord extends Readonly<z.output<typeof deviceMessageRecord>> {}

/** The generation of a device ID, if it was raised: also of an ID that is free. */
export const deviceGenerationRecord = z.strictObject({ deviceId: text, generation: integer });

/** The message `id` that came with a nonce, at `at` (Unix milliseconds). */
export const deviceNonceRecord = z.strictObject({
  deviceId: text,
  fromDevice: flag,
  nonce: text,
  id: integer,
  at: integer,
});
