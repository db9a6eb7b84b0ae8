import { useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { FileButton } from "../ui/files/file-button.tsx";
import { takesFiles } from "../ui/files/given-files.ts";
import { pictureAmong } from "./photo.ts";

interface AttachButtonProps {
  /** The label of the button. Default: "choose a picture". */
  readonly name?: string;
  readonly onPicture: (file: File) => void;
}

export function AttachButton({ name, onPicture }: AttachButtonProps) {
  const texts = useTexts();
  const take = (files: readonly File[]): void => files.slice(0, 1).forEach(onPicture);
  return <FileButton shape="picture" name={name ?? texts.printPicture} accept="image/*" onFiles={take} />;
}

/** The chosen, pasted or dropped picture. Other content is left to the browser. */
export function useAttached() {
  const [file, setFile] = useState<File | null>(null);
  const taking = takesFiles((files) => {
    const picture = pictureAmong(files);
    if (picture !== undefined) setFile(picture);
    return picture !== undefined;
  });
  return { file, setFile, taking };
}
