import { LRUCache } from "lru-cache";

/** Uploads whose names are remembered. */
const namesKept = 10_000;

/** What uploads were called: a segment of OneBot 12 names a file by its ID only. */
export interface UploadNames {
  note(userId: number, fileId: string, name: string): void;
  /** The name, or `""`. */
  find(userId: number, fileId: string): string;
}

/** No upload has a name yet. */
export function createUploadNames(): UploadNames {
  const names = new LRUCache<string, string>({ max: namesKept });
  return {
    note: (userId, fileId, name) => void names.set(`${userId} ${fileId}`, name),
    find: (userId, fileId) => names.get(`${userId} ${fileId}`) ?? "",
  };
}
