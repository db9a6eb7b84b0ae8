import { list } from "@telex/core/contract";
import { z } from "zod";
import { mostSegments } from "./fields.ts";
import { type Segment, segment } from "./frames.ts";

const segments = list(segment, mostSegments);

/**
 * The content of a message: an array, one segment, or a text. Segments are read up to one more than a message may have, so that the
 * excess is noticed.
 * @param readText the segments of a text
 */
export const contentOf = (readText: (text: string) => readonly Segment[]) =>
  z.unknown().transform((value, context): readonly Segment[] => {
    if (typeof value === "string") return readText(value);
    const read = segments.safeParse(Array.isArray(value) ? value.slice(0, mostSegments) : [value]);
    if (read.success) return read.data;
    context.addIssue({ code: "custom", message: "must be an array of segments, one segment, or a string" });
    return z.NEVER;
  });
