import { z } from "zod";
import { list, text, interfaceLimits } from "@telex/ground/contract";
import type { ByteStream } from "@telex/files/blobs";
import { networkIdOf, networkIdsOf } from "./ids.ts";

/**
 * Opens a picture or file of the network. It is called at most once.
 * @param signal aborted when it has taken too long
 */
export type OpenMedia = (signal: AbortSignal) => Promise<ByteStream>;

const openMedia = z.custom<OpenMedia>((value) => typeof value === "function").optional();

const networkId = text(1, 64);
const messageId = text(1, 128);
/** As above; null if the network gives none. */
const messageIdOrNone = messageId.nullable().transform(networkIdOf);

const incomingSegment = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    data: z.object({ text: text(0, interfaceLimits.messageText) }),
  }),
  /** `name`: how the mentioned person is called in the room. */
  z.object({ type: z.literal("at"), data: z.object({ ext: networkId, name: text(0, 128).default("") }) }),
  /** `messageId`: the quoted message's id in the network. */
  z.object({ type: z.literal("reply"), data: z.object({ messageId }) }),
  /** Without `open`, clients cannot show the picture. */
  z.object({
    type: z.literal("image"),
    data: z.object({
      open: openMedia,
      summary: text(0, 512).default(""),
      subType: text(0, 32).default(""),
      /** Bytes, as the network says; for a picture that is fetched its own size counts. */
      size: z.int().min(0).optional(),
    }),
  }),
  /** Without `open` the room sees only the name. `name`: `file` if the network gives none. */
  z.object({
    type: z.literal("file"),
    data: z.object({ open: openMedia, name: text(1, 512), mime: text(0, 128).default("") }),
  }),
]);

/** The latest moment that a date can have. */
const latest = 8_640_000_000_000_000;

/** A message of an external network, as a gateway gives it to its inbox. */
export const incomingMessage = z.object({
  /** The account that has received it. */
  account: networkId,
  /**
   * The same for every delivery of this message to this account. Null if the network gives none, or one of those with which networks say
   * so, `0` and `-1`: then each delivery is a message.
   */
  messageId: messageIdOrNone,
  /** Other ids under which the account knows it, such as one that {@link Gateway.send} has returned. */
  otherIds: list(messageId, 8).default([]).transform(networkIdsOf),
  room: z.object({ kind: z.enum(["group", "private"]), ext: networkId }),
  /** The name of the room in the network; `""` if it is unknown. A chat room that is added for it gets this name. */
  roomName: text(0, 128).default(""),
  /** `name`: the card in the room, or else the nickname; `""` if neither is known. */
  sender: z.object({ ext: networkId, name: text(0, 128).default("") }),
  /** True if the account itself has said it, here or elsewhere. */
  isOwn: z.boolean().default(false),
  /** Unix milliseconds, as the network says. */
  createTime: z.int().min(0).max(latest),
  segments: list(incomingSegment, interfaceLimits.messageSegments),
});

/** A recall in an external network, as a gateway gives it to its inbox. */
export const incomingRecall = z.object({
  /** The account that has received it. */
  account: networkId,
  room: z.object({ kind: z.enum(["group", "private"]), ext: networkId }),
  /** One of the ids of the message. */
  messageId: messageIdOrNone,
  /** The ID of who recalled it; null if the network does not say. */
  operator: networkId.nullable().default(null),
});

/** A reaction in an external network, as a gateway gives it to its inbox. `operator`: the ID of the person. */
export const incomingReaction = incomingRecall.extend({
  operator: networkId,
  emoji: z.string().regex(/^\p{RGI_Emoji}$/v),
  isRemoval: z.boolean().default(false),
});

/** A reaction in an external network, as a gateway gives it. */
export type IncomingReaction = z.input<typeof incomingReaction>;
/** A recall in an external network, as a gateway gives it. */
export type IncomingRecall = z.input<typeof incomingRecall>;
export type CheckedRecall = z.output<typeof incomingRecall>;
/** A message of an external network, as a gateway gives it. */
export type IncomingMessage = z.input<typeof incomingMessage>;
/** A checked {@link IncomingMessage}. */
export type CheckedMessage = z.output<typeof incomingMessage>;
export type IncomingSegment = z.output<typeof incomingSegment>;
