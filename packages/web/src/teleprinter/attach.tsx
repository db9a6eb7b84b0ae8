import type { TargetedClipboardEvent, TargetedDragEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import { Icon } from "../ui/icon.tsx";
import { pictureAmong } from "./photo.ts";

/** What the button needs. */
interface AttachButtonProps {
  /** What the button says. Default: that it chooses a picture. */
  readonly name?: string;
  readonly onPicture: (file: File) => void;
}

/** The button that chooses a picture. */
export function AttachButton({ name, onPicture }: AttachButtonProps) {
  const texts = useTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="plain attach" onClick={() => input.current?.click()}>
        <Icon shape="picture" />
        {name ?? texts.printPicture}
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file can be chosen again.
          currentTarget.value = "";
          if (file !== undefined) onPicture(file);
        }}
      />
    </>
  );
}

/** The picture that was chosen, pasted or dropped. What else is pasted or dropped is left to the browser. */
export function useAttached() {
  const [file, setFile] = useState<File | null>(null);
  const take = (files: FileList | undefined, event: Event): void => {
    const picture = pictureAmong(files);
    if (picture === null) return;
    event.preventDefault();
    setFile(picture);
  };
  const taking = {
    onPaste: (event: TargetedClipboardEvent<HTMLElement>): void => take(event.clipboardData?.files, event),
    onDrop: (event: TargetedDragEvent<HTMLElement>): void => take(event.dataTransfer?.files, event),
    onDragOver: (event: TargetedDragEvent<HTMLElement>): void => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
    },
  };
  return { file, setFile, take, taking };
}
