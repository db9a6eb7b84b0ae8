import { useApp, useTexts } from "../context.ts";
import { saveBlob } from "../ui/save-blob.ts";
import { usePictureTexts } from "./texts.ts";

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
      <button
        type="button"
        onClick={() => saveBlob(new Blob([`${text}\n`], { type: "text/plain;charset=utf-8" }), texts.fileName)}
      >
        {texts.save}
      </button>
    </div>
  );
}
