import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { writeEvents } from "../events/event-writer.ts";
import { type HttpResponse, isBuffered, isEvents } from "./http-response.ts";

/** Writes a response to Node: head and body in one write if it can, because most of the cost of a response is the system call. */
export function writeResponse(res: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (body === null) {
    res.writeHead(status, headers).end();
  } else if (isBuffered(body)) {
    res.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  } else if (isEvents(body)) {
    writeEvents(res.writeHead(status, headers), body);
  } else {
    // The pipeline cuts a response that fails, or that has lost its reader.
    pipeline(body, res.writeHead(status, headers)).catch(() => {});
  }
}
