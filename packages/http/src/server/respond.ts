import type { Telex } from "@telex/core";
import type { H3Event } from "h3";
import { type Reply, toResponse } from "../response/reply.ts";
import type { Cors } from "./cors.ts";
import { linger } from "./linger.ts";

/** Gives the reply to a request to the host: every reply of the application passes here. */
export type Respond = (event: H3Event, reply: Reply) => Response;

/** Replies leave with their CORS headers, and after the rest of the request was read for a while. */
export const createRespond =
  ({ limits }: Pick<Telex, "limits">, cors: Cors): Respond =>
  (event, reply) => {
    linger(event, limits.lingerTime);
    return toResponse(cors.allow(reply, event), event.req.method);
  };
