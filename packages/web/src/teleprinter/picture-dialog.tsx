import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { useAccount, useTexts } from "../context.ts";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormActions } from "../ui/form-actions.tsx";
import { countCharacters, longestText } from "./count.ts";
import { type Photo, readPhoto } from "./photo.ts";
import { backgroundOf, type PictureStyle, pictureStyles, pictureText, widestOf } from "./picture-text.ts";

/** What the dialog needs. */
export interface PictureDialogProps {
  readonly file: Blob;
  readonly deviceId: string;
  readonly onClose: () => void;
}

/** Columns that a picture has at first: as many as common paper holds. */
const usualColumns = 64;

interface WidthProps {
  readonly columns: number;
  readonly widest: number;
  readonly onColumns: (columns: number) => void;
}

function Width({ columns, widest, onColumns }: WidthProps) {
  const texts = useTexts();
  const id = useId();
  return (
    <div class="choice">
      <label for={id}>{texts.pictureWidth}</label>
      <input
        id={id}
        type="range"
        min={1}
        max={widest}
        value={columns}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onColumns(currentTarget.valueAsNumber)}
      />
      <p class="hint" id={`${id}-hint`}>
        {texts.pictureWidest(widest)}
      </p>
    </div>
  );
}

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
      <Width columns={columns} widest={widest} onColumns={setColumns} />
      <FormActions submit={texts.pictureSend} onCancel={onClose} />
    </form>
  );
}

/** Shows a picture as the text that it becomes, and prints it. */
export function PictureDialog({ file, deviceId, onClose }: PictureDialogProps) {
  const texts = useTexts();
  const [photo, setPhoto] = useState<Photo | null>(null);
  const [unreadable, setUnreadable] = useState(false);
  useEffect(() => {
    readPhoto(file).then(setPhoto, () => setUnreadable(true));
  }, [file]);
  return (
    <Dialog title={texts.printPicture} onClose={onClose}>
      {unreadable && <p role="alert">{texts.pictureUnreadable}</p>}
      {photo === null && !unreadable && <p role="status">{texts.pictureReading}</p>}
      {photo !== null && <Form photo={photo} deviceId={deviceId} onClose={onClose} />}
    </Dialog>
  );
}
