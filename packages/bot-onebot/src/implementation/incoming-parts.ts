import type { SegmentInput } from "@telex/core";
import { codec11, codec12 } from "../wire/codec.ts";
import type { Segment } from "../wire/frames.ts";
import type { Part } from "../wire/parts.ts";
import type { Acting } from "./context.ts";
import { nameInId, resolveMedia } from "./files.ts";
import { ActionError } from "./results.ts";
import type { BookedRoom } from "./rooms/room-book.ts";

/** Maximum parts of a message. */
const maxParts = 100;

const badSegment = (problem: string): ActionError => new ActionError("bad_segment", problem);

function mention(room: BookedRoom, id: string): SegmentInput {
  if (id === "all") return { type: "at", data: { ext: id } };
  const member = room.members.get(Number(id));
  if (member === undefined) throw badSegment(`No member of the room has the user id ${id.slice(0, 64)}.`);
  return { type: "at", data: member.ext === null ? { userId: member.userId } : { ext: member.ext } };
}

function quote(id: string): SegmentInput {
  const messageId = Number(id);
  const isId = Number.isSafeInteger(messageId) && messageId >= 1;
  if (!isId) throw badSegment("A quote needs the id of a message of the room.");
  return { type: "reply", data: { messageId } };
}

/** The name of a file, unless it is a path or an address. */
function nameOf(part: Extract<Part, { readonly kind: "file" }>): { readonly name?: string } {
  const name = part.name || nameInId(part.file || part.fileId) || part.file;
  return /^[^:/]+$/.test(name) ? { name: name.slice(0, 512) } : {};
}

async function inputOf(actor: Acting, room: BookedRoom, part: Part): Promise<SegmentInput> {
  switch (part.kind) {
    case "text":
      return { type: "text", data: { text: part.text } };
    case "at":
      return mention(room, part.id);
    case "reply":
      return quote(part.id);
    case "image":
      return { type: "image", data: { file_id: await resolveMedia(actor, part) } };
    case "file":
      return { type: "file", data: { file_id: await resolveMedia(actor, part), ...nameOf(part) } };
    case "other":
      throw new ActionError("unsupported_segment", `Rooms of Telex have no "${part.type.slice(0, 32)}".`);
  }
}

/**
 * The segments of an action as Telex expects them. Pictures and files are stored first.
 * @throws ActionError `bad_param`, `bad_segment`, `unsupported_segment`, `network`; TelexError
 */
export async function readSegments(
  actor: Acting,
  room: BookedRoom,
  message: readonly Segment[],
): Promise<SegmentInput[]> {
  if (message.length > maxParts) throw new ActionError("bad_param", `message: at most ${maxParts} segments.`);
  const codec = actor.version === 11 ? codec11 : codec12;
  const inputs: SegmentInput[] = [];
  for (const segment of message) inputs.push(await inputOf(actor, room, codec.read(segment)));
  return inputs;
}
