import { avatarsContract, imagesContract } from "@telex/core/contract";
import { bucketContract } from "@telex/core/contract";
import type { HttpTelex } from "../limits.ts";
import type { Call } from "../request/call.ts";
import { avatarResponse, fileResponse } from "../response/download.ts";
import { envelope, envelopeHeaders, type HttpResponse } from "../response/http-response.ts";
import { eventHeaders, type EventSource } from "../events/event-source.ts";
import { outgoingStream, streamResponse } from "../response/stream.ts";
import type { ResponseKind } from "../routes.ts";

/** Turns the result of an operation into a response. */
type Writer = (output: unknown, call: Call) => HttpResponse | Promise<HttpResponse>;

const imageText = imagesContract.imageText.output;
const avatar = avatarsContract.personal.output;
const file = bucketContract.download.output;

/** The writer of each kind of response. Events have none, because their operation continues after the response begins. */
export const writers: { readonly [K in Exclude<ResponseKind, "events">]: Writer } = {
  envelope: (data) => ({ status: 200, headers: envelopeHeaders, body: envelope(data) }),
  text(output) {
    const { text, cached } = imageText.parse(output);
    const type = { "content-type": "text/plain; charset=utf-8", "x-cache": cached ? "HIT" : "MISS" };
    return { status: 200, headers: { ...envelopeHeaders, ...type }, body: text };
  },
  jpeg: (output, { exchange }) => avatarResponse(avatar.parse(output), exchange),
  stream: (output) => streamResponse(outgoingStream.parse(output)),
  file: (output, { exchange, refuse }) => fileResponse(file.parse(output), exchange, refuse),
};

/** Server-sent events as a response. */
export const eventResponse = (
  source: EventSource,
  { clock, limits }: Pick<HttpTelex, "clock" | "limits">,
): HttpResponse => ({
  status: 200,
  headers: eventHeaders,
  body: { source, clock, heartbeat: limits.eventHeartbeat },
});
