import type { Uploading } from "../../ui/files/uploads.ts";
import type { MemberView, SegmentInput } from "./api.ts";
import { findMentions, nameOf } from "./mention.ts";
import type { Segment } from "./content.ts";

/** The parts of a message being written. */
interface Composed {
  readonly text: string;
  readonly members: readonly MemberView[];
  readonly files: readonly Uploading[];
  readonly quoted: number | null;
}

function segmentOf(text: string, member: MemberView | null): SegmentInput {
  if (member === null) return { type: "text", data: { text } };
  const { ext, userId } = member;
  return { type: "at", data: ext === "" ? { userId: Number(userId) } : { ext } };
}

const textSegments = (text: string, members: readonly MemberView[]): readonly SegmentInput[] =>
  findMentions(text, members).map(({ text: part, member }) => segmentOf(part, member));

/** The segment of a file, if its upload is complete. */
function fileSegments({ stored, file }: Uploading): readonly SegmentInput[] {
  if (stored === null) return [];
  const { file_id, mime } = stored;
  if (mime.startsWith("image/")) return [{ type: "image", data: { file_id } }];
  return [{ type: "file", data: { file_id, name: file.name } }];
}

/** The segments of a message being written. Empty if the message is empty. */
export function segmentsOf({ text, members, files, quoted }: Composed): readonly SegmentInput[] {
  const said = [...(text.trim() === "" ? [] : textSegments(text, members)), ...files.flatMap(fileSegments)];
  return quoted === null || said.length === 0 ? said : [{ type: "reply", data: { messageId: quoted } }, ...said];
}

type Mention = Extract<SegmentInput, { readonly type: "at" }>["data"];

/** A mention as the server will store it. */
function previewMention(data: Mention, members: readonly MemberView[]): Segment {
  const member = members.find(({ ext, userId }) => ("ext" in data ? ext === data.ext : userId === String(data.userId)));
  const ext = "ext" in data ? data.ext : "";
  return { kind: "at", ext, name: member === undefined ? ext : nameOf(member) };
}

function previewSegment(segment: SegmentInput, members: readonly MemberView[]): Segment {
  switch (segment.type) {
    case "text":
      return { kind: "text", text: segment.data.text };
    case "at":
      return previewMention(segment.data, members);
    case "reply":
      return { kind: "reply", messageId: segment.data.messageId };
    case "image":
      return { kind: "image", file: "" };
    case "file":
      return { kind: "file", name: segment.data.name ?? "", url: null };
  }
}

/** The segments of a message as they are shown until the server has stored it. */
export const preview = (segments: readonly SegmentInput[], members: readonly MemberView[]): readonly Segment[] =>
  segments.map((segment) => previewSegment(segment, members));
