import type { StoredFileView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../session/problem.ts";
import type { Upload } from "../session/upload.ts";

/** A file on its way to the server, or there. */
export interface Uploading {
  readonly key: number;
  readonly file: File;
  /** From 0 to 1. */
  readonly share: number;
  /** Null before the server has it. */
  readonly stored: StoredFileView | null;
  readonly problem: Problem | null;
}

/** Files on their way, in the order in which they were given. Owns them. */
export interface Uploads {
  readonly files: ReadonlySignal<readonly Uploading[]>;
  readonly add: (files: readonly File[]) => void;
  /** Begins one again that failed. */
  readonly retry: (key: number) => void;
  /** Cancels one, or lets go of it. */
  readonly remove: (key: number) => void;
  readonly clear: () => void;
}

/** No file is on its way. `done` is called for each that the server has. */
export function createUploads(upload: Upload, done: (stored: StoredFileView) => void = () => {}): Uploads {
  const files = signal<readonly Uploading[]>([]);
  const cancels = new Map<number, AbortController>();
  let count = 0;
  const change = (key: number, news: Partial<Uploading>): void => {
    files.value = files.value.map((each) => (each.key === key ? { ...each, ...news } : each));
  };
  const begin = async (key: number, file: File): Promise<void> => {
    const cancel = new AbortController();
    cancels.set(key, cancel);
    change(key, { share: 0, problem: null });
    try {
      const onProgress = (share: number): void => change(key, { share });
      const stored = await upload(file, { onProgress, signal: cancel.signal });
      change(key, { share: 1, stored });
      done(stored);
    } catch (error) {
      change(key, { problem: problemOf(error) });
    }
  };
  const add = (given: readonly File[]): void => {
    for (const file of given) {
      const key = (count += 1);
      files.value = [...files.value, { key, file, share: 0, stored: null, problem: null }];
      void begin(key, file);
    }
  };
  const remove = (key: number): void => {
    files.value = files.value.filter((each) => each.key !== key);
    cancels.get(key)?.abort();
    cancels.delete(key);
  };
  return {
    files,
    add,
    retry(key) {
      const found = files.peek().find((each) => each.key === key);
      if (found !== undefined) void begin(key, found.file);
    },
    remove,
    clear: () => files.peek().forEach(({ key }) => remove(key)),
  };
}
