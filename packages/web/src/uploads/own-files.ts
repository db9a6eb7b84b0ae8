import type { OwnFileView } from "@telex/core";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../session/problem.ts";
import type { Server } from "../session/server.ts";

/** The files that the person has uploaded, newest first. Owns the list. */
export interface OwnFiles {
  /** Null before they are known. */
  readonly files: ReadonlySignal<readonly OwnFileView[] | null>;
  readonly more: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | null>;
  /** Fetches the newest ones. */
  readonly load: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
}

/** Nothing is known yet. */
export function createOwnFiles({ files: fetchPage }: Pick<Server["bucket"], "files">): OwnFiles {
  const files = signal<readonly OwnFileView[] | null>(null);
  const next = signal<string | null>(null);
  const problem = signal<Problem | null>(null);
  const run = async (work: () => Promise<void>): Promise<void> => {
    problem.value = null;
    try {
      await work();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return {
    files,
    more: computed(() => next.value !== null),
    problem,
    load: () =>
      run(async () => {
        const page = await fetchPage({});
        files.value = page.list;
        next.value = page.nextCursor;
      }),
    loadMore: () =>
      run(async () => {
        const cursor = next.peek();
        if (cursor === null) return;
        const page = await fetchPage({ cursor });
        files.value = [...(files.peek() ?? []), ...page.list];
        next.value = page.nextCursor;
      }),
  };
}
