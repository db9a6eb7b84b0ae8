/** A part of a text: plain text, or code between fences. */
type FencePart =
  | { readonly kind: "words"; readonly text: string }
  /** `language` is the rest of the opening fence, and may be empty. */
  | { readonly kind: "code"; readonly text: string; readonly language: string };

const fence = "```";

/** The index of the closing fence at or after line `from`, or -1. */
const endOf = (lines: readonly string[], from: number): number =>
  lines.findIndex((line, index) => index >= from && line.trim() === fence);

/** Splits a text at fenced code. An unclosed fence is plain text. */
export function cutFences(text: string): readonly FencePart[] {
  if (!text.includes(fence)) return [{ kind: "words", text }];
  const lines = text.split("\n");
  const parts: FencePart[] = [];
  let words: string[] = [];
  const flush = (): void => {
    if (words.join("").trim() !== "") parts.push({ kind: "words", text: words.join("\n") });
    words = [];
  };
  let canEnd = true;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const end = canEnd && line.startsWith(fence) && !line.includes("`", fence.length) ? endOf(lines, index + 1) : -1;
    // If no closing fence follows, no later fence has one either. So each line is examined at most twice.
    if (line.startsWith(fence) && end === -1) canEnd = false;
    if (end === -1) {
      words.push(line);
      continue;
    }
    flush();
    parts.push({
      kind: "code",
      text: lines.slice(index + 1, end).join("\n"),
      language: line.slice(fence.length).trim(),
    });
    index = end;
  }
  flush();
  return parts;
}
