import { useState } from "preact/hooks";
import { Button } from "../../ui/forms/button.tsx";
import { createLazy } from "../../ui/panes/lazy.tsx";
import { useRoomTexts } from "../content/texts.ts";

const PictureDialog = createLazy(async () => (await import("./picture-dialog.tsx")).PictureDialog);

/** A picture of a message: of one height, so that no message moves when it has come; in its size, and as text, when it is chosen. */
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
