import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3 } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { replyOf, writeReply } from "../response/reply.ts";

async function answer(app: H3, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const response = await app.fetch(new NodeRequest({ req, res }));
  const reply = replyOf(response);
  // Head and body in one write: the framework makes two, and the system call is what an answer costs.
  if (reply === undefined || !writeReply(res, reply)) await sendNodeResponse(res, response);
}

/**
 * The application as a handler for a Node server. It never throws.
 * @param fail answers what went wrong outside of every handler
 */
export function createNodeHandler(app: H3, fail: (res: ServerResponse, cause: unknown) => void) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    answer(app, req, res).catch((cause: unknown) => fail(res, cause));
  };
}
