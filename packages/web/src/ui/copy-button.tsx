import { useApp, useTexts } from "../context.ts";

/** Copies a text. Absent over plain HTTP, where browsers keep the clipboard from pages: the text can be selected there. */
export function CopyButton({ text, look }: { readonly text: string; readonly look?: "link" | "plain" }) {
  const texts = useTexts();
  const { notices } = useApp();
  if (!("clipboard" in navigator)) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notices.say(texts.copied);
  };
  return (
    <button type="button" class={look} onClick={() => void copy()}>
      {texts.copy}
    </button>
  );
}
