import { useEffect, useMemo, useState } from "preact/hooks";
import { createNewest } from "../base/newest.ts";
import { type Photo, readPhoto } from "./photo.ts";

/** A picture that is being decoded, was decoded, or cannot be decoded. */
interface Reading {
  readonly photo: Photo | null;
  readonly isUnreadable: boolean;
}

const reading: Reading = { photo: null, isUnreadable: false };

const unreadable: Reading = { photo: null, isUnreadable: true };

/** Decodes a picture in the browser. If another picture replaces it during decoding, the result is ignored. */
export function usePhoto(file: Blob | null): Reading {
  const [read, setRead] = useState(reading);
  const ifNewest = useMemo(createNewest, []);
  useEffect(() => {
    setRead(reading);
    const request = async (): Promise<Photo | null> => (file === null ? null : await readPhoto(file));
    const show = (photo: Photo | null): void => setRead({ photo, isUnreadable: false });
    void ifNewest(request, show, () => setRead(unreadable));
  }, [file]);
  return read;
}
