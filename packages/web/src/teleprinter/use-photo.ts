import { useEffect, useState } from "preact/hooks";
import { type Photo, readPhoto } from "./photo.ts";

/** A picture that is being read, was read, or cannot be read. */
interface Reading {
  readonly photo: Photo | null;
  readonly isUnreadable: boolean;
}

const reading: Reading = { photo: null, isUnreadable: false };

const tryToRead = (file: Blob): Promise<Reading> =>
  readPhoto(file).then(
    (photo) => ({ photo, isUnreadable: false }),
    () => ({ photo: null, isUnreadable: true }),
  );

/** Reads a picture in the browser; a picture that was replaced meanwhile is not shown any more. */
export function usePhoto(file: Blob | null): Reading {
  const [read, setRead] = useState(reading);
  useEffect(() => {
    let isCurrent = true;
    const show = async (given: Blob): Promise<void> => {
      const next = await tryToRead(given);
      if (isCurrent) setRead(next);
    };
    setRead(reading);
    if (file !== null) void show(file);
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return read;
}
