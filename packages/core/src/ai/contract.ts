import { z } from "zod";
import { defineContract } from "../contract.ts";
import { id, idOut, timestamp } from "../fields.ts";

/** What the limit of a quota counts (interface 2.4). */
export const allocationUnit = z.enum(["count", "token"]);
/** How long a period of a quota is (interface 2.4). */
export const allocationPeriod = z.enum(["daily", "weekly", "monthly"]);

/** A user's quota in the current period (interface 2.4). */
export const quota = z
  .object({
    messageCount: z.int().min(0).meta({ description: "Completed replies in this period." }),
    tokenCount: z.int().min(0).meta({ description: "Tokens in this period." }),
    allocationUnit,
    allocationMax: z.int().min(0),
    allocationPeriod,
    lastReset: z.int().meta({ description: "Start of the period, Unix milliseconds." }),
    nextReset: z.int().meta({ description: "End of the period, Unix milliseconds." }),
  })
  .meta({ id: "Quota" });

/** What is kept of a conversation (interface 2.5). `status`: 0 active, 1 archived. */
export const conversation = z
  .object({
    id: idOut,
    userId: idOut,
    title: z.string(),
    status: z.union([z.literal(0), z.literal(1)]),
    defaultModel: z.string(),
    lastMessage: timestamp,
    totalToken: z.int().min(0),
  })
  .meta({ id: "Conversation" });

/** AI conversation data (interface 4.2). */
export const aiContract = defineContract({
  quota: {
    summary: "The caller's quota, always that of the current period.",
    access: "chat",
    input: z.object({}),
    output: quota,
    errors: [],
  },
  conversations: {
    summary: "Lists the caller's conversations, the last used first.",
    access: "chat",
    input: z.object({
      page: z.int().min(1).max(1_000_000_000).default(1),
      pageSize: z.int().min(1).max(100).default(20),
    }),
    output: z.object({
      page: z.int(),
      pageSize: z.int(),
      total: z.int().min(0),
      list: z.array(conversation),
    }),
    errors: [],
  },
});

const allocation = z.object({
  userId: idOut,
  unit: allocationUnit,
  max: z.int().min(0),
  period: allocationPeriod,
});

/** What the operator does with quotas. */
export const quotaContract = defineContract({
  assign: {
    summary: "Gives a user a quota of their own. What is used in the current period stays used.",
    access: "operator",
    input: z.object({
      userId: id,
      unit: allocationUnit,
      max: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
      period: allocationPeriod,
    }),
    output: allocation,
    errors: ["user_not_found"],
  },
  show: {
    summary: "A user's quota in the current period.",
    access: "operator",
    input: z.object({ userId: id }),
    output: quota,
    errors: ["user_not_found"],
  },
});

/** The type of {@link aiContract}, by name. */
export interface AiContract extends Readonly<typeof aiContract> {}
/** The type of {@link quotaContract}, by name. */
export interface QuotaContract extends Readonly<typeof quotaContract> {}
/** A quota as it goes out. */
export type QuotaView = z.output<typeof quota>;
/** A conversation as it goes out. */
export type ConversationView = z.output<typeof conversation>;
