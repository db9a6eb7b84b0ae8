import { useEffect, useMemo, useState } from "preact/hooks";
import { createNewest } from "../base/newest.ts";
import { type Photo, readPhoto } from "./photo.ts";

/** A picture that is being read, was read, or cannot be read. */
interface Reading {
  readonly photo: Photo | null;
  readonly isUnreadable: boolean;
}

const reading: Reading = { photo: null, isUnreadable: false };

const unreadable: Reading = { photo: null, isUnreadable: true };

/** Reads a picture in the browser. A picture that another one replaced while it was read is not shown. */
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
