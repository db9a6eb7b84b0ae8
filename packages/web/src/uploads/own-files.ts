import type { OwnFileView } from "@telex/core";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { createAttempts } from "../base/attempts.ts";
import { type Problem, problemOf } from "../server/problem.ts";
import type { Server } from "../server/server.ts";

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

export function createOwnFiles({ files: fetchPage }: Pick<Server["bucket"], "files">): OwnFiles {
  const files = signal<readonly OwnFileView[] | null>(null);
  const next = signal<string | null>(null);
  const { problem, attempt } = createAttempts(problemOf);
  const more = computed(() => next.value !== null);
  /** Fetches the page at a place; null for the first, which replaces the list. */
  const fetchAt = async (cursor: string | null): Promise<void> => {
    const page = await fetchPage(cursor === null ? {} : { cursor });
    files.value = [...(cursor === null ? [] : (files.peek() ?? [])), ...page.list];
    next.value = page.nextCursor;
  };
  const load = (): Promise<void> => attempt(() => fetchAt(null));
  const loadMore = async (): Promise<void> => (more.peek() ? attempt(() => fetchAt(next.peek())) : undefined);
  return { files, more, problem, load, loadMore };
}
