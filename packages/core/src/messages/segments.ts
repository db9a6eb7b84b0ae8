import { TelexError } from "@telex/ground/errors";
import { type StoredSegment, type SegmentLimits, keepSegments, typeOf } from "../records/segments.ts";
import type { AttachmentRecord, FileRecord } from "@telex/files/records";
import { generateExtPath, generateRelativePath, imageName } from "@telex/files/blobs";
import type { SegmentInput } from "./contract.ts";
import type { MessageRecord } from "../records/messages.ts";

export type Mention = Extract<SegmentInput, { readonly type: "at" }>["data"];

/** Files, members and messages that segments refer to, looked up before they are built. */
export interface SegmentSources {
  readonly files: ReadonlyMap<string, FileRecord>;
  /** The mentioned member. `ext` is `""` for a member without an ID in the external network, `name` is `""` for an unknown ID. */
  readonly mentionOf: (data: Mention) => Extract<StoredSegment, { readonly at: unknown }>["at"];
  readonly replies: ReadonlyMap<number, MessageRecord>;
  /** True in a room of an external network: its files are those of the network (interface 2.10). */
  readonly isExternal: boolean;
}

export interface BuiltMessage {
  readonly segments: readonly StoredSegment[];
  readonly type: MessageRecord["type"];
  /** MD5s of the files that the message uses. */
  readonly files: readonly string[];
  readonly attachments: readonly AttachmentRecord[];
}

interface Built {
  readonly stored: StoredSegment;
  readonly md5?: string;
  readonly attachment?: AttachmentRecord;
}

/**
 * The segments of a request: a plain string is one text.
 * @throws TelexError as {@link keepSegments}
 */
export const readSegments = (
  message: string | readonly SegmentInput[],
  limits: SegmentLimits,
): readonly SegmentInput[] =>
  keepSegments(typeof message === "string" ? [{ type: "text", data: { text: message } }] : message, limits);

function fileOf(sources: SegmentSources, file_id: string): FileRecord {
  const file = sources.files.get(file_id);
  if (file === undefined) throw new TelexError("file_not_found", { reason: "file_foreign", params: { file_id } });
  return file;
}

function buildImage(file: FileRecord): Built {
  const image = { file: imageName(file), summary: "", sub_type: "0", file_size: String(file.size) };
  return { stored: { image }, md5: file.md5 };
}

function buildFile(file: FileRecord, name: string, sources: SegmentSources): Built {
  const relativePath = sources.isExternal ? generateExtPath(name) : generateRelativePath(name);
  const attachment = { relativePath, md5: file.md5, name };
  return {
    stored: { file: { relativePath, isEXT: sources.isExternal ? "1" : "0" } },
    md5: file.md5,
    attachment,
  };
}

function buildReply(sources: SegmentSources, messageId: number): Built {
  const message = sources.replies.get(messageId);
  if (message === undefined) throw new TelexError("not_found", { reason: "reply_unknown", params: { messageId } });
  const id = message.botMessageId ?? "";
  return { stored: { reply: { id, messageId: String(messageId) } } };
}

/** An upload that is sent as an image. If it is not one, it is sent as a file. */
const buildUpload = (file: FileRecord, sources: SegmentSources): Built =>
  file.ext === "" ? buildFile(file, `${file.md5}.bin`, sources) : buildImage(file);

function buildSegment(segment: SegmentInput, sources: SegmentSources): Built {
  switch (segment.type) {
    case "text":
      return { stored: { text: segment.data } };
    case "at":
      return { stored: { at: sources.mentionOf(segment.data) } };
    case "reply":
      return buildReply(sources, segment.data.messageId);
    case "image":
      return buildUpload(fileOf(sources, segment.data.file_id), sources);
    case "file":
      return buildFile(fileOf(sources, segment.data.file_id), segment.data.name ?? segment.data.file_id, sources);
  }
}

/**
 * Builds a message from its segments (interface 4.8, steps 2 and 4).
 * @throws TelexError `file_not_found` (`file_foreign`) for a file that the sender did not upload, `not_found`
 * (`reply_unknown`) for a reply to no message of the room
 */
export function buildMessage(segments: readonly SegmentInput[], sources: SegmentSources): BuiltMessage {
  const built = segments.map((segment) => buildSegment(segment, sources));
  const stored = built.map((one) => one.stored);
  return {
    segments: stored,
    type: typeOf(stored),
    files: [...new Set(built.flatMap(({ md5 }) => md5 ?? []))],
    attachments: built.flatMap(({ attachment }) => attachment ?? []),
  };
}
