import { useTexts } from "../../app/context.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { useCopy } from "../../ui/forms/use-copy.ts";
import { useRoomTexts } from "../content/texts.ts";

function CopyCode({ text }: { readonly text: string }) {
  const shared = useTexts();
  const { copyCode } = useRoomTexts();
  const copy = useCopy(text, shared.copied);
  return (
    copy && (
      <Button aria-label={copyCode} onClick={copy}>
        <Icon shape="copy" />
        {shared.copy}
      </Button>
    )
  );
}

/** A code block that scrolls horizontally. */
export const Code = ({ text, language }: { readonly text: string; readonly language: string }) => (
  <figure class="code">
    <header>
      <span dir="auto">{language}</span>
      <CopyCode text={text} />
    </header>
    {/* Focusable, so that the keyboard can scroll it. */}
    <pre tabIndex={0}>{text}</pre>
  </figure>
);
