import { useTexts } from "../../app/context.ts";
import { Button } from "./button.tsx";
import { useCopy } from "./use-copy.ts";

/** Copies a text. Hidden if the browser does not allow pages to copy. */
export function CopyButton({ text, look }: { readonly text: string; readonly look?: "link" | "plain" }) {
  const texts = useTexts();
  const copy = useCopy(text, texts.copied);
  if (copy === null) return null;
  return (
    <Button class={look} onClick={copy}>
      {texts.copy}
    </Button>
  );
}
