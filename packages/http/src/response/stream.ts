import type { ByteStream } from "@telex/core/storage";
import { z } from "zod";
import { contentDisposition } from "./disposition.ts";
import { envelopeHeaders, type HttpResponse } from "./http-response.ts";

/** A download that is created while it is read: its length is not known in advance, and no part of it can be requested alone. */
export interface OutgoingStream {
  /** The name under which browsers save it. */
  readonly name: string;
  /** Its media type, such as `application/json`. */
  readonly mime: string;
  /** Read once, no faster than the receiver takes it. Ended early if the receiver is gone. A failure cuts the download. */
  readonly bytes: ByteStream;
}

/** The output of a route whose response is a {@link OutgoingStream}. */
export const outgoingStream = z
  .custom<OutgoingStream>((value) => typeof value === "object" && value !== null && "bytes" in value && "name" in value)
  .meta({ type: "string", format: "binary" });

/** A download that no cache keeps and no browser shows. */
export const streamResponse = ({ name, mime, bytes }: OutgoingStream): HttpResponse => ({
  status: 200,
  headers: {
    ...envelopeHeaders,
    "content-type": mime,
    "content-disposition": contentDisposition("attachment", name),
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  },
  body: bytes,
});
