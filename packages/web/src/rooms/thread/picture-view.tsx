import { useState } from "preact/hooks";
import { Button } from "../../ui/forms/button.tsx";
import { createLazy } from "../../ui/panes/lazy.tsx";
import { useRoomTexts } from "../content/texts.ts";

const PictureDialog = createLazy(async () => (await import("./picture-dialog.tsx")).PictureDialog);

/** A picture of fixed height, so that messages do not move when it loads. A click opens it in full size or as text. */
export function PictureView({ file, sender }: { readonly file: string; readonly sender: string }) {
  const texts = useRoomTexts();
  const [isOpen, setIsOpen] = useState(false);
  if (file === "") return <p class="quiet">[{texts.summary.image}]</p>;
  return (
    <>
      <Button class="thumb" aria-label={texts.picture(sender)} onClick={() => setIsOpen(true)}>
        <img src={`/download/${encodeURIComponent(file)}`} alt="" loading="lazy" />
      </Button>
      {isOpen && <PictureDialog file={file} onClose={() => setIsOpen(false)} />}
    </>
  );
}
