import { z } from "zod";
import { content11 } from "../../wire/v11-events.ts";
import type { Segment } from "../../wire/frames.ts";

/** An ID: a number, or its digits. */
export const id11 = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^[1-9]\d{0,15}$/)
        .transform(Number),
    ],
    { error: "must be the number of something" },
  )
  .refine((value) => Number.isSafeInteger(value) && value > 0, { error: "must be a number above 0" });

/** The number of requested messages: a number, or its digits. */
export const count11 = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1).max(100));

/** A number; 0 or missing means none. */
export const optionalId11 = z.union([id11, z.literal([0, "0", ""])]).nullish();

/** A flag, also as forms have it. */
const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1")])
  .default(false);

/** A message, as an array, one segment, or a text with CQ codes; the text of a form may be an array as JSON. */
const message11 = z.object({ message: z.unknown(), auto_escape: flag });

function readArray(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The segments of a message. */
export const segments11 = message11.transform(({ message, auto_escape }, context): readonly Segment[] => {
  if (typeof message === "string" && auto_escape) return [{ type: "text", data: { text: message } }];
  const segments = typeof message === "string" && message.startsWith("[{") ? readArray(message) : message;
  const read = content11.safeParse(segments);
  if (read.success) return read.data;
  context.addIssue({
    code: "custom",
    message: "must be an array of segments, one segment, or a string",
    path: ["message"],
  });
  return z.NEVER;
});
