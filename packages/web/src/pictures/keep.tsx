import { Button } from "../ui/forms/button.tsx";
import { CopyButton } from "../ui/forms/copy-button.tsx";
import { saveBlob } from "../ui/files/save-blob.ts";
import { usePictureTexts } from "./texts.ts";

export function Keep({ text }: { readonly text: string }) {
  const texts = usePictureTexts();
  const save = (): void => saveBlob(new Blob([`${text}\n`], { type: "text/plain;charset=utf-8" }), texts.fileName);
  return (
    <div class="actions">
      <CopyButton text={text} />
      <Button onClick={save}>{texts.save}</Button>
    </div>
  );
}
