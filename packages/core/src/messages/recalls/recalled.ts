import type { StoredSegment } from "../../records/segments.ts";

const text = "[消息已撤回]";

/** The segments of a recalled message. Nothing else is stored with exactly these: see {@link asWritten}. */
export const recalledSegments: readonly StoredSegment[] = [{ text: { text } }];

/** True for a message that was recalled. */
export const isRecalled = ({ content }: { readonly content: string }): boolean => isRecalledContent(content);

export const isRecalledContent = (content: string): boolean => content === JSON.stringify(recalledSegments);

/**
 * The segments of a message that a user wrote. If it is only the text of a recalled message, it becomes two texts, so that a client
 * can tell it from a recalled message.
 */
export function asWritten(segments: readonly StoredSegment[]): readonly StoredSegment[] {
  const [only] = segments;
  const isAlike = segments.length === 1 && only !== undefined && "text" in only && only.text.text === text;
  return isAlike ? [{ text: { text: text.slice(0, 1) } }, { text: { text: text.slice(1) } }] : segments;
}
