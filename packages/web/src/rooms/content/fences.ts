/** A part of a text: words, or lines of code between fences. */
type FencePart =
  | { readonly kind: "words"; readonly text: string }
  /** `language` is what follows on the first fence; it may be empty. */
  | { readonly kind: "code"; readonly text: string; readonly language: string };

const fence = "```";

/** The line on which a fence ends the code that begins above `from`; -1 without one. */
const endOf = (lines: readonly string[], from: number): number =>
  lines.findIndex((line, place) => place >= from && line.trim() === fence);

/** A text cut where fences of three backticks, alone in their lines, begin and end code. A fence without an end is words. */
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
  for (let place = 0; place < lines.length; place += 1) {
    const line = lines[place] ?? "";
    const end = canEnd && line.startsWith(fence) && !line.includes("`", fence.length) ? endOf(lines, place + 1) : -1;
    // Without an end below, no later fence has one: each line is looked at once or twice.
    if (line.startsWith(fence) && end === -1) canEnd = false;
    if (end === -1) {
      words.push(line);
      continue;
    }
    flush();
    parts.push({
      kind: "code",
      text: lines.slice(place + 1, end).join("\n"),
      language: line.slice(fence.length).trim(),
    });
    place = end;
  }
  flush();
  return parts;
}
