import { codePoints } from "@telex/ground/contract";

/** A grapheme that is longer than a message, cut between its code points. */
function cut(grapheme: string, max: number): string[] {
  const points = [...grapheme];
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += max) pieces.push(points.slice(at, at + max).join(""));
  return pieces;
}

/**
 * Splits a text into messages of at most `max` code points, between visible characters. White space at the
 * borders stays. A text of only white space is not a message.
 */
export function toMessages(whole: string, max: number): string[] {
  if (whole.trim() === "") return [];
  if (codePoints(whole) <= max) return [whole];
  const messages: string[] = [];
  let message = "";
  let length = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(whole)) {
    for (const piece of cut(segment, max)) {
      const size = codePoints(piece);
      if (length + size > max) {
        messages.push(message);
        [message, length] = ["", 0];
      }
      message += piece;
      length += size;
    }
  }
  return [...messages, message];
}
