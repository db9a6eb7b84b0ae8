import { useApp, useTexts } from "../context.ts";
import { usePictureTexts } from "./texts.ts";

/** Lets the browser save a text as a file. */
function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // Some browsers begin to read it only later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Copies a text, or saves it as a file. */
export function Keep({ text }: { readonly text: string }) {
  const { notices } = useApp();
  const shared = useTexts();
  const texts = usePictureTexts();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notices.say(shared.copied);
  };
  return (
    <div class="actions">
      {/* Browsers keep the clipboard from pages that came over plain HTTP. */}
      {"clipboard" in navigator && (
        <button type="button" onClick={() => void copy()}>
          {shared.copy}
        </button>
      )}
      <button type="button" onClick={() => save(`${text}\n`, texts.fileName)}>
        {texts.save}
      </button>
    </div>
  );
}
