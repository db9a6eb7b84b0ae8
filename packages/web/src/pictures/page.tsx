import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import { AttachButton, useAttached } from "../teleprinter/attach.tsx";
import { usePhoto } from "../teleprinter/use-photo.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { Tape } from "../ui/tape.tsx";
import { Studio } from "./studio.tsx";
import { usePictureTexts } from "./texts.ts";
import "./pictures.css";

/** The whole page takes what is pasted, wherever the focus is. */
function usePasted(onFile: (event: ClipboardEvent) => void): void {
  useEffect(() => {
    document.addEventListener("paste", onFile);
    return () => document.removeEventListener("paste", onFile);
  });
}

interface WelcomeProps {
  readonly isUnreadable: boolean;
  readonly isReading: boolean;
  readonly onPicture: (file: File) => void;
}

/** Where a picture is put. */
function Welcome({ isUnreadable, isReading, onPicture }: WelcomeProps) {
  const shared = useTexts();
  const texts = usePictureTexts();
  return (
    <div class="welcome">
      <Tape>{"  PICTURE  "}</Tape>
      <h2>{texts.lead}</h2>
      <p>{texts.drop}</p>
      <AttachButton name={texts.choose} onPicture={onPicture} />
      <ErrorText text={isUnreadable ? shared.pictureUnreadable : null} />
      {isReading && <p role="status">{shared.pictureReading}</p>}
      <p class="quiet">{texts.stays}</p>
    </div>
  );
}

/** A picture as text: dropped, pasted or chosen, and shown while its width and style are moved. */
export function PicturesPage() {
  const shared = useTexts();
  const { file, setFile, take, taking } = useAttached();
  const { photo, isUnreadable } = usePhoto(file);
  const [isOver, setOver] = useState(false);
  usePasted((event) => take(event.clipboardData?.files, event));
  return (
    <main
      id="content"
      tabIndex={-1}
      class={isOver ? "pictures over" : "pictures"}
      onDragOver={(event) => {
        taking.onDragOver(event);
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        taking.onDrop(event);
      }}
    >
      <h1 class="unseen">{shared.pictures}</h1>
      {photo === null ? (
        <Welcome isUnreadable={isUnreadable} isReading={file !== null && !isUnreadable} onPicture={setFile} />
      ) : (
        <Studio key={photo} photo={photo} onPicture={setFile} />
      )}
    </main>
  );
}
