import { z } from "zod";

/** The stored form of a message (interface 2.10), with the fields that are read here. */
const readSegments = z.array(
  z
    .object({
      text: z.object({ text: z.string() }),
      at: z.object({ ext: z.string(), name: z.string(), userId: z.string().optional() }),
      image: z.object({ file: z.string() }),
      /** A file of an external network has only a name. */
      file: z.object({ relativePath: z.string().optional() }),
      reply: z.object({ id: z.string(), messageId: z.string().optional() }),
    })
    .partial(),
);

/** A segment of a stored message, of a kind that is known or of another. */
export type ReadSegment = z.output<typeof readSegments>[number];

/** The segments of a stored message. */
export const readContent = (content: string): readonly ReadSegment[] => readSegments.parse(JSON.parse(content));

function written({ text, at, image, file }: ReadSegment): string {
  if (text !== undefined) return text.text;
  if (at !== undefined) return `@${at.name === "" ? at.ext : at.name} `;
  if (image !== undefined) return "[image]";
  return file === undefined ? "" : "[file]";
}

/** A message as plain text: pictures and files become a word, and replies are left out. */
export const plainText = (segments: readonly ReadSegment[]): string => segments.map(written).join("");
