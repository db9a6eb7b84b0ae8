import { useEffect, useState } from "preact/hooks";
import { type Photo, readPhoto } from "./photo.ts";

/** A picture that is being read, was read, or cannot be read. */
interface Reading {
  readonly photo: Photo | null;
  readonly isUnreadable: boolean;
}

const reading: Reading = { photo: null, isUnreadable: false };

/** Reads a picture in the browser; a picture that was replaced meanwhile is not shown any more. */
export function usePhoto(file: Blob | null): Reading {
  const [read, setRead] = useState(reading);
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Reading): void => {
      if (isCurrent) setRead(next);
    };
    setRead(reading);
    if (file !== null) {
      readPhoto(file).then(
        (photo) => show({ photo, isUnreadable: false }),
        () => show({ photo: null, isUnreadable: true }),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return read;
}
