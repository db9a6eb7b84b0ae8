import type { AvatarView, OutgoingFile, Telex } from "@telex/core";
import { avatarReply, fileReply } from "./download.ts";
import { eventReply } from "../stream/event-reply.ts";
import type { EventSource } from "../stream/event-source.ts";
import type { Exchange } from "../request/exchange.ts";
import { envelope, envelopeHeaders, type Reply } from "./reply.ts";
import type { ReplyKind } from "../routes.ts";

/** What each kind of reply is made of. */
interface Outputs {
  readonly envelope: unknown;
  readonly text: { readonly text: string; readonly cached: boolean };
  readonly jpeg: AvatarView;
  readonly file: OutgoingFile;
  readonly events: EventSource;
}

/** Makes an answer of what an operation gives. */
export type Writer<O> = (output: O, exchange: Exchange, telex: Telex) => Reply | Promise<Reply>;

const writers: { readonly [K in ReplyKind]: Writer<Outputs[K]> } = {
  envelope: (data, { call }) => ({ status: 200, headers: envelopeHeaders, body: call.body(envelope(data)) }),
  text: ({ text, cached }) => ({
    status: 200,
    headers: {
      ...envelopeHeaders,
      "content-type": "text/plain; charset=utf-8",
      "x-cache": cached ? "HIT" : "MISS",
    },
    body: text,
  }),
  jpeg: (avatar, { event }) => avatarReply(avatar, event),
  file: (file, { event, refuse }) => fileReply(file, event, refuse),
  events: (source, _exchange, telex) => eventReply(source, telex),
};

/** How what an operation gives becomes an answer of this kind. */
export const writerOf = (kind: ReplyKind): Writer<unknown> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- routes.ts ties each kind to what its operation gives
  writers[kind] as Writer<unknown>;
