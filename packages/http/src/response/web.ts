import { STATUS_CODES } from "node:http";
import { FastResponse } from "srvx";
import { eventStream } from "../events/event-writer.ts";
import { type HttpResponse, isBuffered, isEvents } from "./http-response.ts";

type Listeners = readonly ((written: boolean) => void)[];

/**
 * The class of a response: the fast one, or the class with which a host has replaced the global `Response`, as `@hono/node-server` does
 * when it starts. The framework then recognizes only that class as a response.
 */
const responseClass = (): typeof Response =>
  FastResponse.prototype instanceof globalThis.Response ? FastResponse : globalThis.Response;

/** A body of one chunk that is passed on when it is requested; then the listeners are called. */
function observedBody(text: string | Uint8Array, listeners: Listeners): ReadableStream<Uint8Array> {
  const chunks = [typeof text === "string" ? new TextEncoder().encode(text) : text];
  const tell = (written: boolean): void => listeners.forEach((listener) => listener(written));
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk !== undefined) return controller.enqueue(chunk);
        controller.close();
        tell(true);
      },
      cancel: () => tell(false),
    },
    { highWaterMark: 0 },
  );
}

type WebBody = ConstructorParameters<typeof Response>[0];

function webBody(body: HttpResponse["body"], listeners: Listeners): WebBody {
  if (body === null) return null;
  if (isBuffered(body)) return listeners.length === 0 ? body : observedBody(body, listeners);
  return isEvents(body) ? eventStream(body) : ReadableStream.from(body);
}

/**
 * A response for a host that knows `Response`; without its body for HEAD.
 * @param listeners called with whether the body was read to its end
 */
export function toWebResponse({ status, headers, body }: HttpResponse, method: string, listeners: Listeners): Response {
  const HostResponse = responseClass();
  const statusText = STATUS_CODES[status] ?? "";
  if (method === "HEAD" && body !== null && isBuffered(body)) {
    const length = { "content-length": String(Buffer.byteLength(body)) };
    return new HostResponse(null, { status, statusText, headers: { ...headers, ...length } });
  }
  return new HostResponse(webBody(body, listeners), { status, statusText, headers });
}
