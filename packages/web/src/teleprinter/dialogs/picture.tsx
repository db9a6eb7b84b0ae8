import { useSignal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { useTeleprinter } from "../state/context.ts";
import { paperColumns } from "../state/paper.ts";
import { useTexts } from "../../app/context.ts";
import { Choice } from "../../ui/forms/choice.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { FormActions } from "../../ui/forms/form-actions.tsx";
import { submits } from "../../ui/forms/form.ts";
import { Slider } from "../../ui/forms/slider.tsx";
import { countCharacters, longestText } from "../../base/count.ts";
import type { Photo } from "../../photo/photo.ts";
import { TextPicture } from "../../ui/panes/text-picture.tsx";
import { usePhoto } from "../../photo/use-photo.ts";
import { backgroundOf, type PictureStyle, pictureStyles, pictureText, widestOf } from "../../photo/picture-text.ts";

interface PictureDialogProps {
  readonly file: Blob;
  readonly deviceId: string;
  readonly onClose: () => void;
}

/** The default number of columns for a device that reports no width: common paper holds as many. */
const usualColumns = 64;

interface PreviewProps {
  readonly text: string;
  readonly columns: number;
}

/** The text that will be printed, and its size. */
function Preview({ text, columns }: PreviewProps) {
  const texts = useTexts();
  const lines = text.split("\n").length;
  return (
    <>
      <TextPicture {...{ text, lines, columns }} look="print picture preview" />
      <p class="hint" role="status">
        {texts.pictureSize(columns, lines, countCharacters(text), longestText)}
      </p>
    </>
  );
}

/** Converts a photo to text in this style and width. */
function usePictureText(photo: Photo, style: PictureStyle, columns: number): string {
  const background = backgroundOf(style);
  const pixels = useMemo(() => photo.before(background), [photo, background]);
  return useMemo(() => pictureText(pixels, style, columns), [pixels, style, columns]);
}

/** A photo as text, with its style and width. The initial width is that of the paper. */
function useDrawing(photo: Photo, paper: number) {
  const widest = widestOf(photo);
  const style = useSignal<PictureStyle>("ramp");
  const [columns, setColumns] = useState(Math.min(widest, paper));
  return { widest, style, columns, setColumns, text: usePictureText(photo, style.value, columns) };
}

function Controls({ widest, style, columns, setColumns }: ReturnType<typeof useDrawing>) {
  const texts = useTexts();
  const styleName = (option: PictureStyle): string => texts.pictureStyles[option];
  const width = { label: texts.pictureWidth, max: widest, hint: texts.pictureWidest(widest) };
  return (
    <>
      <Choice label={texts.pictureStyle} value={style} options={pictureStyles} name={styleName} />
      <Slider {...width} value={columns} onValue={setColumns} />
    </>
  );
}

function Form({ photo, deviceId, onClose }: { readonly photo: Photo } & Omit<PictureDialogProps, "file">) {
  const { outbox, devices } = useTeleprinter();
  const texts = useTexts();
  const drawing = useDrawing(photo, paperColumns(devices.find(deviceId), usualColumns));
  const print = (): void => {
    outbox.send(deviceId, drawing.text);
    onClose();
  };
  return (
    <form onSubmit={submits(print)}>
      <Preview text={drawing.text} columns={drawing.columns} />
      <Controls {...drawing} />
      <FormActions submit={texts.pictureSend} onCancel={onClose} />
    </form>
  );
}

/** Previews a picture as text, and prints it. */
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
