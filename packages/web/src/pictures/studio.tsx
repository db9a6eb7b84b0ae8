import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { AttachButton } from "../photo/attach.tsx";
import { countCharacters } from "../base/count.ts";
import type { Photo } from "../photo/photo.ts";
import {
  backgroundOf,
  mostColumns,
  type PictureStyle,
  pictureStyles,
  pictureText,
  widestOf,
} from "../photo/picture-text.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { paperColumns } from "../teleprinter/state/paper.ts";
import { Check } from "../ui/forms/check.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import { Slider } from "../ui/forms/slider.tsx";
import { Keep } from "./keep.tsx";
import { PrintForm } from "./print-form.tsx";
import { RoomForm } from "./room-form.tsx";
import { usePictureTexts } from "./texts.ts";

/** The default number of columns, unless the picture needs fewer to fit into one text, or the selected device reports its width. */
const usualColumns = 80;

/** A picture and its rendering. Owns the width, the style and the background. */
function useDrawing(photo: Photo) {
  const { devices } = useTeleprinter();
  const style = useSignal<PictureStyle>("ramp");
  const columns = useSignal(Math.min(paperColumns(devices.list.value?.[0], usualColumns), widestOf(photo)));
  const isDark = useSignal(false);
  const background = backgroundOf(style.value, isDark.value);
  const pixels = useMemo(() => photo.before(background), [photo, background]);
  const text = useMemo(
    () => pictureText(pixels, style.value, columns.value, isDark.value),
    [pixels, style.value, columns.value, isDark.value],
  );
  return { style, columns, isDark, text, lines: text.split("\n").length };
}

type Drawing = ReturnType<typeof useDrawing>;

function Controls({ style, columns, isDark }: Drawing) {
  const shared = useTexts();
  const texts = usePictureTexts();
  const styleName = (option: PictureStyle): string => shared.pictureStyles[option];
  const width = { label: shared.pictureWidth, max: mostColumns, hint: texts.widest };
  return (
    <>
      <Choice label={shared.pictureStyle} value={style} options={pictureStyles} name={styleName} />
      <Slider {...width} value={columns.value} onValue={(value) => void (columns.value = value)} />
      <Check checked={isDark.value} onChecked={(checked) => void (isDark.value = checked)}>
        {texts.isDark}
      </Check>
    </>
  );
}

/** The text, as large as its frame allows. */
function Sheet({ text, columns, isDark, lines }: Pick<Drawing, "text" | "columns" | "isDark" | "lines">) {
  const texts = useTexts();
  return (
    <div class="frame">
      <pre
        class={isDark.value ? "print night" : "print paper"}
        role="img"
        tabIndex={0}
        aria-label={texts.picture(lines, columns.value)}
        style={{ "--columns": columns.value }}
      >
        {text}
      </pre>
    </div>
  );
}

interface StudioProps {
  readonly photo: Photo;
  readonly onPicture: (file: File) => void;
}

function Size({ text, columns, lines }: Pick<Drawing, "text" | "columns" | "lines">) {
  const texts = usePictureTexts();
  const characters = useMemo(() => countCharacters(text), [text]);
  return (
    <p class="hint" role="status">
      {texts.size(columns.value, lines, characters)}
    </p>
  );
}

/** A picture as text, with its controls and actions. */
export function Studio({ photo, onPicture }: StudioProps) {
  const texts = usePictureTexts();
  const drawing = useDrawing(photo);
  const { text, columns } = drawing;
  return (
    <div class="studio">
      <Sheet {...drawing} />
      <section class="controls" aria-label={texts.lead}>
        <Controls {...drawing} />
        <Size {...drawing} />
        <Keep text={text} />
        <PrintForm photo={photo} text={text} columns={columns} />
        <RoomForm text={text} />
        <AttachButton name={texts.chooseOther} onPicture={onPicture} />
      </section>
    </div>
  );
}
