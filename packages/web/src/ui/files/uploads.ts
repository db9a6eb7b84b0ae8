import type { StoredFileView } from "@telex/core";
import type { ReadonlySignal } from "@preact/signals";
import { createItems } from "../../base/items.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Upload } from "../../server/upload.ts";

/** A file that is being uploaded, or was uploaded. */
export interface Uploading {
  readonly key: number;
  readonly file: File;
  /** The uploaded fraction, from 0 to 1. */
  readonly share: number;
  /** Null until the server has stored it. */
  readonly stored: StoredFileView | null;
  readonly problem: Problem | null;
}

/** Uploads in the order of their addition. Owns them. */
export interface Uploads {
  readonly files: ReadonlySignal<readonly Uploading[]>;
  readonly add: (files: readonly File[]) => void;
  /** Repeats a failed upload. */
  readonly retry: (key: number) => void;
  /** Cancels or removes an upload. */
  readonly remove: (key: number) => void;
  readonly clear: () => void;
}

function createList() {
  const { items: files, add, ...list } = createItems<Uploading, number>([], ({ key }) => key);
  let count = 0;
  const addFile = (file: File): Uploading => add({ key: (count += 1), file, share: 0, stored: null, problem: null });
  return { ...list, files, add: addFile };
}

interface SendingDeps {
  readonly upload: Upload;
  readonly change: ReturnType<typeof createList>["change"];
  /** Called for each stored file. */
  readonly done: (stored: StoredFileView) => void;
}

/** Uploads files until they are stored or cancelled. */
function createSending({ upload, change, done }: SendingDeps) {
  const cancels = new Map<number, AbortController>();
  const sendFile = async ({ key, file }: Uploading, cancelled: AbortSignal): Promise<void> => {
    const stored = await upload(file, { onProgress: (share) => change(key, { share }), signal: cancelled });
    change(key, { share: 1, stored });
    done(stored);
  };
  const begin = (uploading: Uploading): void => {
    const { key } = uploading;
    const cancel = new AbortController();
    cancels.set(key, cancel);
    change(key, { share: 0, problem: null });
    sendFile(uploading, cancel.signal).catch((error: unknown) => change(key, { problem: problemOf(error) }));
  };
  const cancel = (key: number): void => {
    cancels.get(key)?.abort();
    cancels.delete(key);
  };
  return { begin, cancel };
}

/** `done` is called for each stored file. */
export function createUploads(upload: Upload, done: (stored: StoredFileView) => void = () => {}): Uploads {
  const list = createList();
  const { files, change } = list;
  const { begin, cancel } = createSending({ upload, change, done });
  const remove = (key: number): void => {
    list.remove(key);
    cancel(key);
  };
  const retry = (key: number): void => {
    const match = files.peek().find((each) => each.key === key);
    if (match !== undefined) begin(match);
  };
  const add = (given: readonly File[]): void => given.forEach((file) => begin(list.add(file)));
  return { files, add, retry, remove, clear: () => files.peek().forEach(({ key }) => remove(key)) };
}
