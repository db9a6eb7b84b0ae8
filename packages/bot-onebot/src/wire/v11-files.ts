import type { IncomingPart, NetworkRoom } from "../gateway-types.ts";
import { codec11 } from "./codec.ts";
import type { MediaSource, Open } from "./dialect.ts";
import type { Segment } from "./frames.ts";
import { labelOf } from "./labels.ts";
import type { MediaPart } from "./parts.ts";

/** Maximum files of a message by which it is known. */
const maxFiles = 7;

/** The address in the fields of a picture or file: `file` may also contain bytes or an address. */
const sourceOf = ({ url, file }: Pick<MediaPart, "url" | "file">): string | null =>
  [url, file].find((value) => value !== null && /^(https?|base64):\/\//.test(value)) ?? null;

const findFile = (room: NetworkRoom, fileId: string): MediaSource["find"] =>
  room.kind === "group" && fileId !== ""
    ? { action: "get_group_file_url", params: { group_id: room.ext, file_id: fileId } }
    : null;

function imageOf(part: MediaPart, open: Open): IncomingPart {
  const { summary, subType, size } = part;
  return {
    type: "image",
    data: {
      open: open({ url: sourceOf(part), find: null }),
      summary: summary.slice(0, 512),
      subType: subType.slice(0, 32),
      ...(size !== null && { size }),
    },
  };
}

export function fileOf(part: MediaPart, room: NetworkRoom, open: Open): IncomingPart {
  const url = sourceOf(part);
  const name = [part.name, part.file].find((one) => one !== "" && one !== url) ?? "file";
  return { type: "file", data: { open: open({ url, find: findFile(room, part.fileId) }), name: name.slice(0, 512) } };
}

export function partOf(one: Segment, room: NetworkRoom, open: Open): IncomingPart {
  const part = codec11.read(one);
  switch (part.kind) {
    case "text":
      return { type: "text", data: { text: part.text } };
    case "at":
      return { type: "at", data: { ext: part.id, name: part.name.slice(0, 128) } };
    case "reply":
      return { type: "reply", data: { messageId: part.id } };
    case "image":
      return imageOf(part, open);
    case "file":
      return fileOf(part, room, open);
    case "other":
      return { type: "text", data: { text: labelOf(part.type) } };
  }
}

/** The id of a file in a group: its notice has no id of a message. */
export const fileMessageId = (fileId: string): string => `file:${fileId}`;

/** A message with a file may also be reported by the notice of the file. */
export const fileIdsOf = (content: readonly Segment[]): readonly string[] =>
  content
    .flatMap((one) => {
      const part = codec11.read(one);
      return part.kind === "file" && part.fileId !== "" ? [fileMessageId(part.fileId)] : [];
    })
    .slice(0, maxFiles);
