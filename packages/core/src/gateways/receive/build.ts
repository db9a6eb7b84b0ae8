import { generateExtPath, imageName } from "@telex/files/blobs";
import type { AttachmentRecord, FileRecord } from "@telex/files/records";
import { everybody, type StoredSegment, typeOf } from "../../records/segments.ts";
import type { MessageRecord } from "../../records/messages.ts";
import type { IncomingSegment } from "../../networks/incoming.ts";
import type { Media } from "./media.ts";

interface IncomingSources {
  /** The stored file; null if it could not be fetched. */
  readonly fetch: (media: Media) => Promise<FileRecord | null>;
  readonly nameOf: (ext: string) => string;
  /** The message of this room with an id of the network, or null. */
  readonly findQuoted: (messageId: string) => Promise<MessageRecord | null>;
}

export interface ReceivedMessage {
  readonly segments: readonly StoredSegment[];
  readonly type: MessageRecord["type"];
  readonly files: readonly string[];
  readonly attachments: readonly AttachmentRecord[];
}

interface Built {
  readonly stored: StoredSegment;
  readonly md5?: string;
  readonly attachment?: AttachmentRecord;
}

type Part<Type extends IncomingSegment["type"]> = Extract<IncomingSegment, { readonly type: Type }>["data"];

/** A picture that was not fetched has no name, so clients cannot open it (interface 2.10). */
async function buildImage({ open, summary, subType, size }: Part<"image">, { fetch }: IncomingSources): Promise<Built> {
  const file = open === undefined ? null : await fetch({ open, name: "image", mime: "" });
  const isImage = file !== null && file.ext !== "";
  const image = {
    file: isImage ? imageName(file) : "",
    summary,
    sub_type: subType,
    file_size: isImage ? String(file.size) : String(size ?? ""),
  };
  return { stored: { image }, ...(isImage ? { md5: file.md5 } : {}) };
}

/** A file of the network has only its name in the message, whether it was fetched or not. */
async function buildFile({ open, name, mime }: Part<"file">, { fetch }: IncomingSources): Promise<Built> {
  const stored = { file: { file: name } };
  const file = open === undefined ? null : await fetch({ open, name, mime });
  if (file === null) return { stored };
  return { stored, md5: file.md5, attachment: { relativePath: generateExtPath(name), md5: file.md5, name } };
}

const buildMention = ({ ext, name }: Part<"at">, { nameOf }: IncomingSources): Built => ({
  stored: { at: ext === everybody.ext ? everybody : { ext, name: name || nameOf(ext) || ext } },
});

async function buildQuote(id: string, { findQuoted }: IncomingSources): Promise<Built> {
  const quoted = await findQuoted(id);
  return { stored: { reply: { id, messageId: quoted === null ? "" : String(quoted.id) } } };
}

async function buildSegment(segment: IncomingSegment, sources: IncomingSources): Promise<Built> {
  switch (segment.type) {
    case "text":
      return { stored: { text: segment.data } };
    case "at":
      return buildMention(segment.data, sources);
    case "reply":
      return await buildQuote(segment.data.messageId, sources);
    case "image":
      return buildImage(segment.data, sources);
    case "file":
      return buildFile(segment.data, sources);
  }
}

/** Builds a message of an external network from its segments (interface 2.10). */
export async function buildReceived(
  segments: readonly IncomingSegment[],
  sources: IncomingSources,
): Promise<ReceivedMessage> {
  const built = await Promise.all(segments.map((segment) => buildSegment(segment, sources)));
  const stored = built.map((one) => one.stored);
  return {
    segments: stored,
    type: typeOf(stored),
    files: [...new Set(built.flatMap(({ md5 }) => md5 ?? []))],
    attachments: built.flatMap(({ attachment }) => attachment ?? []),
  };
}
