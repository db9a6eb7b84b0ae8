import { useTexts } from "../context.ts";
import { useCopy } from "./use-copy.ts";

/** Copies a text. Absent where browsers do not let pages copy. */
export function CopyButton({ text, look }: { readonly text: string; readonly look?: "link" | "plain" }) {
  const texts = useTexts();
  const copy = useCopy(text, texts.copied);
  if (copy === null) return null;
  return (
    <button type="button" class={look} onClick={copy}>
      {texts.copy}
    </button>
  );
}
