import { securityEvents } from "@telex/core";
import { defineContract, id, idOut } from "@telex/core/contract";
import { z } from "zod";

const count = z.int().min(0);

/** The subjects of the events: the words before their dots. */
const subjects = [...new Set(securityEvents.map((event) => event.split(".", 1)[0] ?? event))];

const step = z
  .object({
    at: z.iso.datetime().meta({ description: "The beginning of the step." }),
    calls: count,
    refused: count.meta({ description: "Calls that failed because of their callers." }),
    failed: count.meta({ description: "Calls that failed because of the server." }),
    messages: count.meta({ description: "Messages of rooms, and texts to and from devices." }),
    devices: count.meta({ description: "The most devices that were online, as far as this server has heard of them." }),
    p99: z.number().nullable().meta({
      description:
        "Milliseconds within which 99 of 100 calls were answered in the slowest minute of the step, without polls, uploads and models.",
    }),
  })
  .meta({ id: "TrendStep" });

const auditEvent = z
  .object({
    id: idOut,
    at: z.iso.datetime(),
    level: z.enum(["info", "warn"]).meta({ description: "`info` for a change, `warn` for a refusal." }),
    event: z.enum(securityEvents),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .meta({ id: "AuditEvent" });

/** Operations for admins on the recent activity of a server. */
export const recentContract = defineContract({
  trends: {
    summary:
      "The figures of the last hours, of the server that answers. They are kept in memory for a day, and begin when it starts.",
    access: "operator",
    input: z.object({ hours: z.int().min(1).max(24).default(3) }),
    output: z.object({
      server: z.string().nullable().meta({ description: "The name of the server among several; null if it has none." }),
      seconds: z.int().meta({ description: "The length of a step." }),
      list: z.array(step),
    }),
    errors: [],
  },
  devices: {
    summary:
      "Devices that are online, and those that went last, as far as this server has heard of them; the last change first.",
    access: "operator",
    input: z.object({ limit: z.int().min(1).max(1000).default(200) }),
    output: z.object({
      server: z.string().nullable(),
      online: count,
      list: z.array(
        z.object({
          deviceId: z.string(),
          name: z.string(),
          online: z.boolean(),
          since: z.iso.datetime(),
          transport: z.string().optional(),
          program: z.string().optional(),
        }),
      ),
    }),
    errors: [],
  },
  audit: {
    summary:
      "Security events, newest first: who changed what, and what was refused. Of the server that answers, and of commands beside its storage.",
    access: "operator",
    input: z.object({
      event: z
        .enum([...securityEvents, ...subjects])
        .optional()
        .meta({ description: "An event, such as `user.added`, or a subject, such as `user`. Default: all." }),
      userId: id.optional().meta({ description: "Only what this user did, or what was done to this user." }),
      level: z.enum(["info", "warn"]).optional(),
      before: id.optional().meta({ description: "Only events with a lower id, for the next page." }),
      limit: z.int().min(1).max(1000).default(100),
    }),
    output: z.object({
      server: z.string().nullable(),
      list: z.array(auditEvent),
    }),
    errors: [],
  },
});

/** The type of {@link recentContract}. */
export type RecentContract = typeof recentContract;
