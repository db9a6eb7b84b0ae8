import { z } from "zod";
import {
  defineContract,
  id,
  idOrZero,
  idOut,
  nonce,
  text,
  timestamp,
  via,
  word,
  list,
  convert,
  moment,
  interfaceLimits,
} from "@telex/ground/contract";

/** A device ID (interface 2.2): globally unique. */
export const deviceId = word(/^[A-Za-z0-9_-]{1,64}$/, 64, "device_id").meta({ examples: ["kitchen-printer"] });

const content = text(1, interfaceLimits.deviceText);
const onlyDevice = z.object({ deviceId });

// oxlint-disable-next-line no-control-regex -- a tag is printed and typed
const tag = word(/^[^\s,\u0000-\u001f\u007f-\u009f\ufeff]{1,32}$/u, 32, "tag");

const tags = list(tag, 16).optional().meta({
  description: "Words by which the owner names several devices. Left out: as they are. Needs the scope chat.",
});

/** Describes a device to its owner. Not stored if nothing differs. */
const reportFields = {
  program: text(1, 64).optional().meta({ description: "The program of the device and its version." }),
  transport: text(1, 32).optional().meta({ description: "How the device is connected, such as `ws` or `mqtt`." }),
  can: list(text(1, 32), 16).optional().meta({ description: "Words for what the device can do, such as `cut`." }),
  fault: text(1, 200).nullable().optional().meta({
    description: "Why the device cannot take texts, such as `paper out`; null if it can again, left out: as before.",
  }),
};

/** Seconds, at most a year. */
const life = z.int().min(1).max(31_536_000);

/** How a text is delivered. */
const deliveryFields = {
  title: text(1, 128).optional(),
  via: via.optional(),
  priority: z
    .int()
    .min(1)
    .max(5)
    .default(3)
    .meta({ description: "5 is the most urgent. It counts for devices that ask for `order=priority`." }),
  life: life
    .optional()
    .meta({ description: "Seconds, from `at` if it is given, after which the text is not delivered any more." }),
  at: moment.optional().meta({
    description:
      "The text is sent at this time, at most 366 days ahead: ISO 8601 with an offset, or Unix milliseconds.",
  }),
};

/** Ids in the text of a query. */
const ids = convert(word(/^[1-9]\d{0,15}(?:,[1-9]\d{0,15}){0,99}$/, 1700, "ids"), (value) =>
  value.split(",").map(Number),
);

/** The room that a device prints. */
const printedRoom = z
  .object({
    groupId: id,
    mentions: z.boolean().default(false).meta({ description: "Print only messages that mention the owner." }),
    life: life.optional().meta({ description: "Seconds after which a message of the room is not printed any more." }),
  })
  .meta({ id: "PrintedRoom" });

/** A device as its owner sees it (interface 2.2). */
export const device = z
  .object({
    deviceId: z.string(),
    name: z.string(),
    online: z.boolean(),
    lastSeen: timestamp,
    createdAt: timestamp,
    ai: z.string().optional().meta({ description: "The AI model that replies to the device, if there is one." }),
    room: z
      .object({ groupId: idOut, mentions: z.boolean(), life: z.int().optional() })
      .optional()
      .meta({ description: "The chat room that the device prints, if there is one." }),
    tags: z.array(z.string()).optional().meta({ description: "The tags of the device, if it has some." }),
    program: z.string().optional(),
    transport: z.string().optional(),
    can: z.array(z.string()).optional(),
    fault: z
      .object({ reason: z.string(), since: timestamp })
      .optional()
      .meta({ description: "Why the device cannot take texts, if it said so." }),
  })
  .meta({ id: "Device" });

/** A teleprinter message (interface 2.3). `delivered`: 0 queued, 1 delivered. */
const deviceMessage = z
  .object({
    id: idOut,
    deviceId: z.string(),
    direction: z.enum(["to_device", "from_device"]),
    content: z.string(),
    delivered: z.union([z.literal(0), z.literal(1)]),
    createdAt: timestamp,
    title: z.string().optional(),
    via: via.optional(),
    priority: z.int().optional().meta({ description: "1 to 5, if it is not 3." }),
    life: z.int().optional().meta({ description: "Seconds that are left, for a text that expires." }),
    expiresAt: timestamp.optional(),
    dueAt: timestamp
      .optional()
      .meta({ description: "The time of a scheduled text, whose `id` is that of its schedule." }),
    state: z
      .enum(["waiting", "scheduled", "delivered", "expired", "failed"])
      .optional()
      .meta({ description: "Left out for a text without any of these fields that waits or is delivered." }),
  })
  .meta({ id: "DeviceMessage" });

/** Texts that have reached their device. */
const delivered = z
  .object({ deviceId: z.string(), ids: z.array(idOut) })
  .meta({ id: "Delivered", description: "Texts that have reached their device." });

/** Events for connections of devices and of their watchers, by their kind. */
export const deviceEvents = {
  device_message: deviceMessage,
  device_delivered: delivered,
  device_presence: device,
} as const;

/** Commands that only the connection of a device can send. */
export const deviceCommands = {
  ack: {
    summary: "Acknowledges texts, or gives them up.",
    input: z.object({
      id: id.optional(),
      ids: list(id, 1000).optional(),
      failed: z.boolean().default(false).meta({ description: "The device cannot use these texts, and gives them up." }),
    }),
    output: z.null(),
  },
} as const;

/** Text between a user's page and a device (interface 4.1). */
export const teleprinterContract = defineContract({
  register: {
    summary: "Registers a device, or renames it if the caller owns it already. Afterwards the device is online.",
    access: "device",
    input: z.object({
      deviceId,
      name: text(1, interfaceLimits.deviceName),
      ai: text(1, 128).nullable().optional().meta({
        description:
          "A model that answers what the device says; null for none, left out: as it is. Needs the scope chat.",
      }),
      room: printedRoom.nullable().optional().meta({
        description:
          "A chat room of the caller: the device prints what is said in it, and what the device says goes into it. null for none, left out: as it is. Needs the scope chat.",
      }),
      tags,
    }),
    output: device,
    errors: ["device_taken", "not_found", "group_not_found", "quota_exceeded"],
  },
  rename: {
    summary: "Renames a device, or changes its tags. Not a sign of life.",
    access: "device",
    input: z.object({ deviceId, name: text(1, interfaceLimits.deviceName).optional(), tags }),
    output: device,
    errors: ["device_not_found", "not_owner"],
  },
  heartbeat: {
    summary: "Keeps the device online. Call it at least every 60 seconds. It can also report the state of the device.",
    access: "device",
    input: z.object({ deviceId, ...reportFields }),
    output: device,
    errors: ["device_not_found", "not_owner"],
  },
  offline: {
    summary: "Sets the device offline immediately.",
    access: "device",
    input: onlyDevice,
    output: device,
    errors: ["device_not_found", "not_owner"],
  },
  poll: {
    summary:
      "Returns the messages that wait for the device, oldest first. With ack, a message that is lost on its way can be fetched again.",
    access: "device",
    input: z.object({
      deviceId,
      limit: z.int().min(1).max(100).default(50),
      wait: z
        .int()
        .min(0)
        .max(interfaceLimits.pollWait)
        .default(0)
        .meta({ description: "Seconds to wait for a message." }),
      ack: idOrZero.optional().meta({
        description: "The greatest id received so far, 0 at first. Messages up to it are marked delivered.",
      }),
      order: z
        .literal("priority")
        .optional()
        .meta({ description: "The most urgent messages first. The device then uses acks instead of ack." }),
      acks: ids.optional().meta({ description: "Ids separated by commas: these messages are marked delivered." }),
      failed: ids.optional().meta({ description: "Ids separated by commas: the device gives these messages up." }),
    }),
    output: z.array(deviceMessage),
    errors: ["device_not_found", "not_owner"],
  },
  sync: {
    summary: "Stores one text from the device. If the device prints a chat room, the text goes into the room as well.",
    access: "device",
    input: z.object({ deviceId, content, nonce: nonce.optional() }),
    output: deviceMessage,
    errors: [
      "device_not_found",
      "not_owner",
      "nonce_conflict",
      "queue_full",
      "bot_offline",
      "delivery_failed",
      "delivery_unknown",
    ],
  },
  send: {
    summary: "Sends one text to the device: immediately if it is connected, otherwise it waits for a poll.",
    access: "device",
    input: z.object({ deviceId, content, nonce: nonce.optional(), ...deliveryFields }),
    output: deviceMessage,
    errors: ["device_not_found", "not_owner", "nonce_conflict", "queue_full", "quota_exceeded"],
  },
  schedules: {
    summary: "Lists the texts of a device that are sent later, the next one first.",
    access: "device",
    input: onlyDevice,
    output: z.array(deviceMessage),
    errors: ["device_not_found", "not_owner"],
  },
  unschedule: {
    summary: "Removes a text that is sent later.",
    access: "device",
    input: z.object({ deviceId, id }),
    output: z.null(),
    errors: ["device_not_found", "not_owner", "not_found"],
  },
  devices: {
    summary: "Lists the caller's devices, last seen first, or with pageSize one page of them, by ID.",
    access: "chat",
    input: z.object({
      tag: tag.optional().meta({ description: "Only devices with this tag." }),
      pageSize: z.int().min(1).max(100).optional().meta({ description: "Devices on one page. Default: all." }),
      cursor: deviceId.optional().meta({
        description:
          "With pageSize: the ID of the last device of the page before. A page with fewer devices is the last one.",
      }),
    }),
    output: z.array(device),
    errors: [],
  },
  messages: {
    summary: "Pages through the texts of a device in both directions, newest first.",
    access: "device",
    input: z.object({ deviceId, cursor: id.optional(), pageSize: z.int().min(1).max(100).default(20) }),
    output: z.object({
      nextPageCursor: z.string().nullable().meta({ description: "Pass it as cursor for the next page." }),
      messages: z.array(deviceMessage),
    }),
    errors: ["device_not_found", "not_owner"],
  },
  unregister: {
    summary: "Frees the device ID, deletes its messages, and ends the tokens that are for this device only.",
    access: "chat",
    input: onlyDevice,
    output: z.null(),
    errors: ["device_not_found", "not_owner"],
    event: "device.unregistered",
  },
});

export interface TeleprinterContract extends Readonly<typeof teleprinterContract> {}
/** A device as its owner sees it. */
export type DeviceView = z.output<typeof device>;
/** A teleprinter message, as clients see it. */
export type DeviceMessageView = z.output<typeof deviceMessage>;
