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
  /** True if only messages that mention the owner are printed. */
  roomMentions: flag,
  /** Seconds after which a text of the room is not printed any more; null for a text that does not expire. */
  roomLife: integerOrNull.default(null),
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

/** The initial fields of a device, in addition to those that its claim gives. */
export const newDevice = {
  ai: null,
  roomId: null,
  roomMentions: false,
  roomLife: null,
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
  title: textOrNull.default(null),
  /** The name of the application that wrote the text for a person. */
  via: textOrNull.default(null),
  /** 1 to 5, the most urgent first; 3 is usual. */
  priority: integer.default(3),
  /** Unix milliseconds from which the text is not delivered any more; null for a text that does not expire. */
  expiresAt: integerOrNull.default(null),
  /** True if a text that expires was handed to its device, which may still acknowledge it. */
  shown: flag.default(false),
  /** Why the text left the queue without being delivered; `delivered` is true then. */
  ended: z.literal(["expired", "failed"]).nullable().default(null),
});

/** The initial fields of a text, in addition to those that its sender gives. */
export const newText = { title: null, via: null, priority: 3, expiresAt: null, shown: false, ended: null } as const;

/** The fields of a text that is sent later. Its owner is that of its device. */
export const deviceScheduleRecord = z.strictObject({
  deviceId: text,
  /** From the nonce of its sender, or random. */
  id: integer,
  owner: integer,
  content: text,
  title: textOrNull,
  via: textOrNull.default(null),
  priority: integer,
  /** Milliseconds after `at`; null for a text that does not expire. */
  life: integerOrNull,
  /** Unix milliseconds. */
  at: integer,
  /** Unix milliseconds. */
  createdAt: integer,
  nonce: textOrNull,
});

/** A text that is sent later. */
export interface DeviceScheduleRecord extends Readonly<z.output<typeof deviceScheduleRecord>> {}

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
