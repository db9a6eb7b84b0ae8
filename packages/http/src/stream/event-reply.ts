import type { Telex } from "@telex/core";
import type { EventSource } from "./event-source.ts";
import { eventHeaders, eventStream } from "./event-stream.ts";
import { writeEvents } from "./event-writer.ts";
import type { Reply } from "../response/reply.ts";

/** Events as an answer. */
export const eventReply = (source: EventSource, { clock, limits }: Pick<Telex, "clock" | "limits">): Reply => ({
  status: 200,
  headers: eventHeaders,
  body: eventStream(source, clock, limits.eventHeartbeat),
  write: (res) => writeEvents(res, source, clock, limits.eventHeartbeat),
});
