import { useSignal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { useAccount, useTexts } from "../context.ts";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormActions } from "../ui/form-actions.tsx";
import { Slider } from "../ui/slider.tsx";
import { countCharacters, longestText } from "./count.ts";
import type { Photo } from "./photo.ts";
import { usePhoto } from "./use-photo.ts";
import { backgroundOf, type PictureStyle, pictureStyles, pictureText, widestOf } from "./picture-text.ts";

/** What the dialog needs. */
export interface PictureDialogProps {
  readonly file: Blob;
  readonly deviceId: string;
  readonly onClose: () => void;
}

/** Columns that a picture has at first: as many as common paper holds. */
const usualColumns = 64;

function Form({ photo, deviceId, onClose }: { readonly photo: Photo } & Omit<PictureDialogProps, "file">) {
  const { outbox } = useAccount().teleprinter;
  const texts = useTexts();
  const widest = widestOf(photo);
  const style = useSignal<PictureStyle>("ramp");
  const [columns, setColumns] = useState(Math.min(widest, usualColumns));
  const background = backgroundOf(style.value);
  const pixels = useMemo(() => photo.before(background), [photo, background]);
  const text = useMemo(() => pictureText(pixels, style.value, columns), [pixels, style.value, columns]);
  const lines = text.split("\n").length;
  const print = (event: Event): void => {
    event.preventDefault();
    outbox.send(deviceId, text);
    onClose();
  };
  return (
    <form onSubmit={print}>
      <pre class="print picture preview" role="img" tabIndex={0} aria-label={texts.picture(lines, columns)}>
        {text}
      </pre>
      <p class="hint" role="status">
        {texts.pictureSize(columns, lines, countCharacters(text), longestText)}
      </p>
      <Choice
        label={texts.pictureStyle}
        value={style}
        options={pictureStyles}
        name={(option) => texts.pictureStyles[option]}
      />
      <Slider
        label={texts.pictureWidth}
        value={columns}
        max={widest}
        hint={texts.pictureWidest(widest)}
        onValue={setColumns}
      />
      <FormActions submit={texts.pictureSend} onCancel={onClose} />
    </form>
  );
}

/** Shows a picture as the text that it becomes, and prints it. */
export function PictureDialog({ file, deviceId, onClose }: PictureDialogProps) {
  const texts = useTexts();
  const { photo, isUnreadable } = usePhoto(file);
  return (
    <Dialog title={texts.printPicture} onClose={onClose}>
      {isUnreadable && <p role="alert">{texts.pictureUnreadable}</p>}
      {photo === null && !isUnreadable && <p role="status">{texts.pictureReading}</p>}
      {photo !== null && <Form photo={photo} deviceId={deviceId} onClose={onClose} />}
    </Dialog>
  );
}
