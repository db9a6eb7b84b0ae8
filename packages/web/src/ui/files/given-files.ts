import type { TargetedClipboardEvent, TargetedDragEvent } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Uploads } from "./uploads.ts";

/** Handlers for pasted or dropped files. Other content is left to the browser. */
export interface TakesFiles {
  readonly onPaste: (event: TargetedClipboardEvent<HTMLElement> | ClipboardEvent) => void;
  readonly onDrop: (event: TargetedDragEvent<HTMLElement>) => void;
  readonly onDragOver: (event: TargetedDragEvent<HTMLElement>) => void;
}

/** @param take returns false for files that are left to the browser */
export function takesFiles(take: (files: readonly File[]) => boolean): TakesFiles {
  const handle = (event: Event, transfer: DataTransfer | null): void => {
    const files = [...(transfer?.files ?? [])];
    if (files.length > 0 && take(files)) event.preventDefault();
  };
  return {
    onPaste: (event) => handle(event, event.clipboardData),
    onDrop: (event) => handle(event, event.dataTransfer),
    onDragOver(event) {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
    },
  };
}

/** Uploads pasted or dropped files. */
export const takesUploads = (uploads: Pick<Uploads, "add">): TakesFiles =>
  takesFiles((files) => {
    uploads.add(files);
    return true;
  });

/** Accepts pasted files anywhere in the page. */
export function usePasted({ onPaste }: Pick<TakesFiles, "onPaste">): void {
  useLayoutEffect(() => {
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  });
}

/** True on devices without a pointer that drags, where the hint to drop or paste files helps nobody. */
export const isTouch = (): boolean => window.matchMedia("(pointer: coarse)").matches;
