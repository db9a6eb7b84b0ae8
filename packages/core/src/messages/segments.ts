import type { AttachmentRecord, FileRecord } from "../records/bucket.ts";
import { generateExtPath, generateRelativePath, imageName } from "../blobs/names.ts";
import { TelexError } from "../errors/errors.ts";
import { codePoints } from "../contract/fields.ts";
import type { SharedLimits } from "../contract/shared-limits.ts";
import type { ToGatewayFile } from "../gateways/files.ts";
import type { GatewayPart } from "../gateways/gateway.ts";
import type { IncomingSegment } from "../gateways/incoming.ts";
import type { SegmentInput } from "./contract.ts";
import type { MessageRecord } from "../records/messages.ts";

type SegmentLimits = Pick<SharedLimits, "messageSegments" | "messageText">;

/** A segment as it is stored (interface 2.10): one key naming the kind, all parameters texts. */
export type StoredSegment =
  | { readonly text: { readonly text: string } }
  | {
      readonly image: {
        readonly file: string;
        readonly summary: string;
        readonly sub_type: string;
        readonly file_size: string;
      };
    }
  /** `userId`: only of a member without an ID in the external network. */
  | { readonly at: { readonly ext: string; readonly name: string; readonly userId?: string } }
  | { readonly reply: { readonly id: string; readonly messageId: string } }
  | { readonly file: { readonly relativePath: string; readonly isEXT: string } }
  /** A file of an external network (interface 2.10): only its name. */
  | { readonly file: { readonly file: string } };

/** Who is mentioned: an ID of the external network, or a member of the room. */
export type Mention = Extract<SegmentInput, { readonly type: "at" }>["data"];

/** How everybody in a room is mentioned. */
export const everybody = { ext: "all", name: "全体成员" } as const;

/** What segments refer to, looked up before they are built. */
export interface SegmentSources {
  /** The sender's files by MD5. */
  readonly files: ReadonlyMap<string, FileRecord>;
  /** Who is mentioned. `ext` is `""` for a member without an ID in the external network, `name` for an ID that nobody has. */
  readonly mentionOf: (data: Mention) => Extract<StoredSegment, { readonly at: unknown }>["at"];
  /** The messages that are replied to, by id. */
  readonly replies: ReadonlyMap<number, MessageRecord>;
  /** True in a room of an external network: its files are those of the network (interface 2.10). */
  readonly isExternal: boolean;
  /** A file as a gateway sees it. */
  readonly toGatewayFile: ToGatewayFile;
}

/** A message, built: for the store and for an external network. */
export interface BuiltMessage {
  /** What was built of each segment. */
  readonly built: readonly Built[];
  readonly segments: readonly StoredSegment[];
  readonly parts: readonly GatewayPart[];
  readonly type: MessageRecord["type"];
  /** MD5s of the files that the message uses. */
  readonly files: readonly string[];
  readonly attachments: readonly AttachmentRecord[];
}

interface Built {
  readonly stored: StoredSegment;
  readonly part: GatewayPart;
  /** The file that it uses. */
  readonly md5?: string;
  readonly attachment?: AttachmentRecord;
}

const invalid = (reason: "empty_message" | "segments_too_many" | "text_too_long", max: number): TelexError =>
  new TelexError("invalid_request", { reason, params: { max } });

const textOf = (segment: SegmentInput | IncomingSegment): string | null =>
  segment.type === "text" ? segment.data.text : null;

/**
 * The segments of a message without its empty texts.
 * @throws TelexError `invalid_request` with `empty_message`, `segments_too_many` or `text_too_long`
 */
export function keepSegments<S extends SegmentInput | IncomingSegment>(
  given: readonly S[],
  limits: SegmentLimits,
): readonly S[] {
  if (given.length > limits.messageSegments) throw invalid("segments_too_many", limits.messageSegments);
  const segments = given.filter((segment) => textOf(segment) !== "");
  if (segments.length === 0) throw invalid("empty_message", 0);
  const length = segments.reduce((sum, segment) => sum + codePoints(textOf(segment) ?? ""), 0);
  if (length > limits.messageText) throw invalid("text_too_long", limits.messageText);
  return segments;
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

function buildImage(file: FileRecord, sources: SegmentSources): Built {
  const image = { file: imageName(file), summary: "", sub_type: "0", file_size: String(file.size) };
  return {
    stored: { image },
    md5: file.md5,
    part: { kind: "image", file: sources.toGatewayFile(file, image.file, null) },
  };
}

function buildFile(file: FileRecord, name: string, sources: SegmentSources): Built {
  const relativePath = sources.isExternal ? generateExtPath(name) : generateRelativePath(name);
  const attachment = { relativePath, md5: file.md5, name };
  return {
    stored: { file: { relativePath, isEXT: sources.isExternal ? "1" : "0" } },
    part: { kind: "file", file: sources.toGatewayFile(file, name, attachment) },
    md5: file.md5,
    attachment,
  };
}

function buildReply(sources: SegmentSources, messageId: number): Built {
  const message = sources.replies.get(messageId);
  if (message === undefined) throw new TelexError("not_found", { reason: "reply_unknown", params: { messageId } });
  const id = message.botMessageId ?? "";
  return { stored: { reply: { id, messageId: String(messageId) } }, part: { kind: "reply", messageId: id } };
}

/** An upload that is sent as an image. If it is not one, it is sent as a file. */
const buildUpload = (file: FileRecord, sources: SegmentSources): Built =>
  file.ext === "" ? buildFile(file, `${file.md5}.bin`, sources) : buildImage(file, sources);

/** A mention for a network, which does not know a member without an ID. */
export const partOfMention = ({ ext, name }: { readonly ext: string; readonly name: string }): GatewayPart =>
  ext === "" ? { kind: "text", text: `@${name} ` } : { kind: "at", ext };

function buildMention(data: Mention, sources: SegmentSources): Built {
  const at = sources.mentionOf(data);
  return { stored: { at }, part: partOfMention(at) };
}

function buildSegment(segment: SegmentInput, sources: SegmentSources): Built {
  switch (segment.type) {
    case "text":
      return { stored: { text: segment.data }, part: { kind: "text", text: segment.data.text } };
    case "at":
      return buildMention(segment.data, sources);
    case "reply":
      return buildReply(sources, segment.data.messageId);
    case "image":
      return buildUpload(fileOf(sources, segment.data.file_id), sources);
    case "file":
      return buildFile(fileOf(sources, segment.data.file_id), segment.data.name ?? segment.data.file_id, sources);
  }
}

/** The type of a message of only this segment; null if it goes with anything. */
const typeOfOne = (segment: object): 0 | 1 | 2 | null =>
  "image" in segment ? 1 : "file" in segment ? 2 : "text" in segment ? 0 : null;

/** 0 text, 1 image, 2 file, 3 mixed. Mentions and replies go with anything. */
export function typeOf(segments: readonly object[]): MessageRecord["type"] {
  let type: 0 | 1 | 2 | null = null;
  for (const segment of segments) {
    const one = typeOfOne(segment);
    if (type !== null && one !== null && one !== type) return 3;
    type ??= one;
  }
  return type ?? 0;
}

function join(built: readonly Built[]): BuiltMessage {
  const stored = built.map((one) => one.stored);
  return {
    built,
    segments: stored,
    parts: built.map(({ part }) => part),
    type: typeOf(stored),
    files: [...new Set(built.flatMap(({ md5 }) => md5 ?? []))],
    attachments: built.flatMap(({ attachment }) => attachment ?? []),
  };
}

/**
 * Builds a message from its segments (interface 4.8, steps 2 and 4).
 * @throws TelexError `file_not_found` (`file_foreign`) for a file that the sender did not upload, `not_found`
 * (`reply_unknown`) for a reply to no message of the room
 */
export const buildMessage = (segments: readonly SegmentInput[], sources: SegmentSources): BuiltMessage =>
  join(segments.map((segment) => buildSegment(segment, sources)));

/** The part of a message that consists of these of its parts. */
export const onlyParts = ({ built }: BuiltMessage, parts: readonly GatewayPart[]): BuiltMessage =>
  join(built.filter(({ part }) => parts.includes(part)));

/** The same segments with the Chinese of texts as pinyin (interface 2.9). */
export const toPinyin = (segments: readonly StoredSegment[], convert: (text: string) => string): StoredSegment[] =>
  segments.map((segment) => ("text" in segment ? { text: { text: convert(segment.text.text) } } : segment));
