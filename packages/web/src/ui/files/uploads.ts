import type { StoredFileView } from "@telex/core";
import type { ReadonlySignal } from "@preact/signals";
import { createItems } from "../../base/items.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Upload } from "../../server/upload.ts";

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

/** The list of files, which changes file by file. */
function createList() {
  const { items: files, add, ...list } = createItems<Uploading, number>([], ({ key }) => key);
  let count = 0;
  const addFile = (file: File): Uploading => add({ key: (count += 1), file, share: 0, stored: null, problem: null });
  return { ...list, files, add: addFile };
}

interface SendingDeps {
  readonly upload: Upload;
  readonly change: ReturnType<typeof createList>["change"];
  /** Called for each file that the server has. */
  readonly done: (stored: StoredFileView) => void;
}

/** Sends files, each until it is there or cancelled. */
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

/** No file is on its way. `done` is called for each that the server has. */
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
