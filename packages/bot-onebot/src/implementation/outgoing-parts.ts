import { interfaceLimits, list } from "@telex/core/contract";
import { z } from "zod";
import { longText } from "../wire/fields.ts";
import { type MediaPart, noMedia, type Part } from "../wire/parts.ts";
import type { Context } from "./context.ts";
import { fileIdOf, fileNameOf, fileUrl, findFile, imageUrl } from "./files.ts";
import type { Actor } from "./context.ts";
import type { BookedRoom } from "./rooms/room-book.ts";

/** A text of Telex, which was bounded before it was stored. */
const storedText = longText;

/** The segments of a message as they are stored (interface 2.10). */
const content = list(
  z.union([
    z.object({ text: z.object({ text: storedText }) }),
    z.object({ at: z.object({ ext: storedText, name: storedText, userId: storedText.optional() }) }),
    z.object({ reply: z.object({ messageId: storedText }) }),
    z.object({
      image: z.object({ file: storedText, summary: storedText, sub_type: storedText, file_size: storedText }),
    }),
    z.object({ file: z.object({ relativePath: storedText }) }),
    z.unknown().transform(() => null),
  ]),
  interfaceLimits.messageSegments,
);

type Stored = z.output<typeof content>[number];

/** A part that frameworks can receive. */
export type SpokenPart = Exclude<Part, { readonly kind: "other" }>;

type MentionFields = Extract<Stored, { readonly at: unknown }>["at"];

/** A mention of the member with this ID in the network, or with this user id. A name alone is ambiguous, and becomes a text. */
function mentionOf(room: BookedRoom, { ext, name, userId }: MentionFields): SpokenPart {
  if (ext === "") return userId === undefined ? { kind: "text", text: `@${name}` } : { kind: "at", id: userId, name };
  const match = [...room.members.values()].find((member) => member.ext === ext);
  return { kind: "at", id: match === undefined ? ext : String(match.userId), name };
}

function imageOf({ baseUrl }: Context, { file, summary, sub_type, file_size }: ImageFields): MediaPart {
  const size = Number(file_size);
  const length = Number.isSafeInteger(size) ? size : null;
  const url = imageUrl(baseUrl(), file);
  return { ...noMedia, kind: "image", file, url, fileId: file, name: file, size: length, summary, subType: sub_type };
}

type ImageFields = Extract<Stored, { readonly image: unknown }>["image"];

/** The file of a segment with its size; null for the size if the file is gone. */
async function fileOf(actor: Actor, relativePath: string): Promise<MediaPart> {
  const fileId = fileIdOf(relativePath);
  const size = await findFile(actor, fileId).then(
    ({ file }) => file.size,
    () => null,
  );
  const name = fileNameOf(relativePath);
  return { ...noMedia, kind: "file", file: name, url: fileUrl(actor.baseUrl(), relativePath), fileId, name, size };
}

async function partOf(actor: Actor, room: BookedRoom, stored: Stored): Promise<readonly SpokenPart[]> {
  if (stored === null) return [];
  if ("text" in stored) return [{ kind: "text", text: stored.text.text }];
  if ("at" in stored) return [mentionOf(room, stored.at)];
  if ("reply" in stored) return [{ kind: "reply", id: stored.reply.messageId }];
  return "image" in stored ? [imageOf(actor, stored.image)] : [await fileOf(actor, stored.file.relativePath)];
}

/** The parts of a stored message as frameworks receive them. */
export async function partsOf(actor: Actor, room: BookedRoom, text: string): Promise<readonly SpokenPart[]> {
  const parts = await Promise.all(content.parse(JSON.parse(text)).map((stored) => partOf(actor, room, stored)));
  return parts.flat();
}
