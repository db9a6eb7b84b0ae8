import { z } from "zod";
import { codePoints, type SharedLimits } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { MessageRecord } from "./messages.ts";

/** The limits of the segments of one message. */
export type SegmentLimits = Pick<SharedLimits, "messageSegments" | "messageText">;

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

/** The ID that mentions all members of a room. */
export const everybody = { ext: "all", name: "全体成员" } as const;

const invalid = (reason: "empty_message" | "segments_too_many" | "text_too_long", max: number): TelexError =>
  new TelexError("invalid_request", { reason, params: { max } });

interface GivenSegment {
  readonly type: string;
  readonly data: object;
}

const textOf = ({ type, data }: GivenSegment): string | null =>
  type === "text" && "text" in data && typeof data.text === "string" ? data.text : null;

/**
 * The segments of a message without its empty texts.
 * @throws TelexError `invalid_request` with `empty_message`, `segments_too_many` or `text_too_long`
 */
export function keepSegments<S extends GivenSegment>(given: readonly S[], limits: SegmentLimits): readonly S[] {
  if (given.length > limits.messageSegments) throw invalid("segments_too_many", limits.messageSegments);
  const segments = given.filter((segment) => textOf(segment) !== "");
  if (segments.length === 0) throw invalid("empty_message", 0);
  const length = segments.reduce((sum, segment) => sum + codePoints(textOf(segment) ?? ""), 0);
  if (length > limits.messageText) throw invalid("text_too_long", limits.messageText);
  return segments;
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

/** The segments of a message that Telex has stored. */
export const storedSegmentsOf = ({ content }: Pick<MessageRecord, "content">): readonly StoredSegment[] =>
  z.array(z.custom<StoredSegment>((value) => typeof value === "object" && value !== null)).parse(JSON.parse(content));

/** The same segments with the Chinese of texts as pinyin (interface 2.9). */
export const toPinyin = (segments: readonly StoredSegment[], convert: (text: string) => string): StoredSegment[] =>
  segments.map((segment) => ("text" in segment ? { text: { text: convert(segment.text.text) } } : segment));
