import type { TargetedDragEvent } from "preact";
import { useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { AttachButton, useAttached } from "../photo/attach.tsx";
import { usePhoto } from "../photo/use-photo.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { isTouch, type TakesFiles, usePasted } from "../ui/files/given-files.ts";
import { Tape } from "../ui/panes/tape.tsx";
import { Studio } from "./studio.tsx";
import { usePictureTexts } from "./texts.ts";
import "./pictures.css";

interface WelcomeProps {
  readonly isUnreadable: boolean;
  readonly isReading: boolean;
  readonly onPicture: (file: File) => void;
}

/** Accepts a picture. */
function Welcome({ isUnreadable, isReading, onPicture }: WelcomeProps) {
  const shared = useTexts();
  const texts = usePictureTexts();
  return (
    <div class="welcome">
      <Tape>{"  PICTURE  "}</Tape>
      <h2>{texts.lead}</h2>
      {!isTouch() && <p>{texts.drop}</p>}
      <AttachButton name={texts.choose} onPicture={onPicture} />
      <ErrorText text={isUnreadable ? shared.pictureUnreadable : null} />
      {isReading && <p role="status">{shared.pictureReading}</p>}
      <p class="quiet">{texts.stays}</p>
    </div>
  );
}

/** Accepts files that are dropped on the page. */
function useDropTarget({ onDragOver, onDrop }: Pick<TakesFiles, "onDragOver" | "onDrop">) {
  const [isOver, setOver] = useState(false);
  const target = {
    onDragOver(event: TargetedDragEvent<HTMLElement>): void {
      onDragOver(event);
      setOver(true);
    },
    onDragLeave: (): void => setOver(false),
    onDrop(event: TargetedDragEvent<HTMLElement>): void {
      setOver(false);
      onDrop(event);
    },
  };
  return { isOver, target };
}

/** Converts a dropped, pasted or chosen picture to text, with a preview while its width and style change. */
export function PicturesPage() {
  const shared = useTexts();
  const { file, setFile, taking } = useAttached();
  const { photo, isUnreadable } = usePhoto(file);
  const { isOver, target } = useDropTarget(taking);
  usePasted(taking);
  return (
    <main {...target} id="content" tabIndex={-1} class={isOver ? "pictures over" : "pictures"}>
      <h1 class="unseen">{shared.pictures}</h1>
      {photo === null ? (
        <Welcome isUnreadable={isUnreadable} isReading={file !== null && !isUnreadable} onPicture={setFile} />
      ) : (
        <Studio key={photo} photo={photo} onPicture={setFile} />
      )}
    </main>
  );
}
