import { z } from "zod";
import { shortText, defineContract } from "@telex/ground/contract";
import { toolServer } from "../records/tool-use.ts";

const count = z.int().min(0);
const milliseconds = z.number().min(0);

const status = z.object({
  server: z.string().meta({ description: "The name of the server among several, or of its machine." }),
  startedAt: z.int().meta({ description: "When the server began, in Unix milliseconds." }),
  now: z.int().meta({ description: "The time on the server, in Unix milliseconds." }),
  calls: z
    .object({ begun: count, refused: count, failed: count })
    .meta({ description: "Calls since then. A refusal is an error of the caller, a failure one of the server." }),
  running: count.meta({ description: "Calls, responses and replies in progress." }),
  polls: count.meta({ description: "Polls that wait for a text." }),
  sockets: z.record(z.string(), count).meta({ description: "Open sockets that are signed in, by channel." }),
  delivered: z
    .object({ rooms: count, devices: count })
    .meta({ description: "Events that were written to sockets since then." }),
  quotaRefusals: count.meta({ description: "Replies that were refused since then because a quota was used up." }),
  unknownRooms: count.meta({
    description:
      "Messages since then from rooms of external networks for which there is no chat room. They were not stored.",
  }),
  tools: z.array(toolServer).meta({ description: "The servers whose tools models may call." }),
  stored: z
    .object({ users: count, groups: count, devices: count, files: count, queued: count })
    .meta({ description: "The number of stored records; `queued` are the texts that wait for devices." }),
  process: z
    .object({
      pid: count,
      node: z.string(),
      cpuMs: milliseconds,
      loopActiveMs: milliseconds.meta({ description: "Time for which the event loop was busy." }),
      loopIdleMs: milliseconds,
      rss: count,
      heapUsed: count,
    })
    .meta({ description: "The process: its times since its start, and its memory in bytes." }),
});

export const serverContract = defineContract({
  status: {
    summary: "The counts of the server since its start, and its work in progress.",
    access: "operator",
    input: z.object({}),
    output: status,
    errors: [],
  },
  drain: {
    summary:
      "Prepares a server for its stop: it is not ready any more, closes its sockets in groups, and passes its accounts of external networks to the other servers. It still answers calls.",
    access: "operator",
    input: z.object({
      server: shortText(128, 1)
        .optional()
        .meta({ description: "The name of the server. Default: the one that answers." }),
      seconds: z.int().min(0).max(600).default(30).meta({ description: "The time over which the sockets are closed." }),
    }),
    output: z.object({ server: z.string() }),
    errors: ["not_found"],
    event: "server.drained",
  },
});

export interface ServerContract extends Readonly<typeof serverContract> {}
