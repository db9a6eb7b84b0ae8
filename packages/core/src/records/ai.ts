import { z } from "zod";
import { integer, text, textOrNull } from "@telex/ground/records";

/** The fields of a quota of AI, with its unit. */
export const allocationRecord = z.strictObject({
  userId: integer,
  unit: z.literal(["count", "token"]),
  /** 0 and above. */
  max: integer,
  period: z.literal(["daily", "weekly", "monthly"]),
});

/** The quota of a user in each period, and its unit. */
export interface Allocation extends Readonly<Omit<z.output<typeof allocationRecord>, "userId">> {}

const used = {
  /** Completed replies. */
  replies: integer,
  tokens: integer,
  /** Replies that the model began, completed or not. */
  started: integer,
};

/** The fields of the usage of a user on one day. */
export const usageRecord = z.strictObject({ userId: integer, day: text, ...used });

/** Used replies and tokens. */
export interface Usage extends Readonly<Omit<z.output<typeof usageRecord>, "userId" | "day">> {}

/** The fields of a reserved share of a quota. */
export const reservationRecord = z.strictObject({
  /** A random word. */
  reservationId: text,
  userId: integer,
  /** The day on which the reply began. It counts on this day, whenever it ends. */
  day: text,
  /** 0 and above, as `tokens` and `started`: the most that the reply may use. */
  ...used,
  /** Unix milliseconds after which a share that was not settled is free again, and `settleExpired` settles it. */
  expiresAt: integer,
});

/** A share of a quota that is reserved for a reply in progress. */
export interface Reservation extends Readonly<z.output<typeof reservationRecord>> {}

/** The fields of a user's message and its reply. */
const turn = z.strictObject({
  conversationId: integer,
  userId: integer,
  model: text,
  question: text,
  /** JSON: the files of the question, if there are some. */
  files: text.optional(),
  /** The reply, or its beginning if it was stopped. */
  answer: text,
  finishReason: text,
  /** JSON: the calls of tools, if there are some. */
  uses: text.optional(),
  /** The messages that are removed when the turn is added: their first and last id. */
  replaces: z.strictObject({ from: integer, to: integer }).optional(),
  /** Tokens to add to those of the conversation. */
  tokens: integer,
  /** Unix milliseconds. */
  askedAt: integer,
  /** Unix milliseconds. */
  answeredAt: integer,
});

/** A user's message and its reply. */
export interface Turn extends Readonly<z.output<typeof turn>> {}

const settlement = z.strictObject({ used: z.strictObject(used), turn: turn.nullable() });

/** The tokens of a reply, and its turn; null if it is not kept in a conversation. */
export interface Settlement {
  readonly used: Usage;
  readonly turn: Turn | null;
}

/**
 * The settlement in a JSON text.
 * @throws SyntaxError or ZodError if the text contains none
 */
export const parseSettlement = (json: string): Settlement => settlement.parse(JSON.parse(json));

/** The fields of a conversation. */
export const conversationRecord = z.strictObject({
  id: integer,
  userId: integer,
  title: text,
  /** 0 active, 1 archived. */
  status: z.literal([0, 1]),
  defaultModel: text,
  /** Unix milliseconds. */
  lastMessage: integer,
  totalToken: integer,
});

/** A stored conversation. */
export interface ConversationRecord extends Readonly<z.output<typeof conversationRecord>> {}

/** The fields of a message of a conversation. */
export const conversationMessageRecord = z.strictObject({
  conversationId: integer,
  /** Increases within a conversation. */
  id: integer,
  role: z.literal(["user", "assistant"]),
  content: text,
  /** The model that was asked or answered. */
  model: text,
  /** Why the reply ended; null for a user's message. */
  finishReason: textOrNull,
  /** JSON: the calls of tools for a reply, or null. */
  uses: textOrNull.default(null),
  /** JSON: the files of a question, or null. */
  files: textOrNull.default(null),
  /** Unix milliseconds. */
  createdAt: integer,
});

/** A message of a conversation. */
export interface ConversationMessageRecord extends Readonly<z.output<typeof conversationMessageRecord>> {}
