import type { FileLinkView, OwnFileView } from "@telex/core";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { createAttempts } from "../base/attempts.ts";
import { type Problem, problemOf } from "../server/problem.ts";
import type { Server } from "../server/server.ts";

/** The kinds of files. */
export const kinds = ["picture", "text", "audio", "video", "archive", "other"] as const;

/** The filter for files. */
interface Wanted {
  readonly query: string;
  readonly kind: OwnFileView["kind"] | "all" | "shared";
}

const everything: Wanted = { query: "", kind: "all" };

/** The files that the person has uploaded, newest first, and their links. Owns both lists. */
export interface OwnFiles {
  readonly wanted: ReadonlySignal<Wanted>;
  /** Null until they are loaded. */
  readonly files: ReadonlySignal<readonly OwnFileView[] | null>;
  readonly links: ReadonlySignal<readonly FileLinkView[]>;
  /** The number of files. Null until it is loaded. */
  readonly counted: ReadonlySignal<Counted | null>;
  readonly more: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | null>;
  /** Loads the newest matching files, and the links. */
  readonly load: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
  /** Changes the filter. */
  readonly find: (change: Partial<Wanted>) => Promise<void>;
  /** The following methods reject with the error of the call. */
  readonly remove: (md5: string) => Promise<void>;
  /** Resolves with the path of the link, and whether it works without a token. */
  readonly share: (md5: string, life: number) => Promise<{ readonly url: string; readonly public: boolean }>;
  readonly revoke: (id: string) => Promise<void>;
}

type Bucket = Pick<Server["bucket"], "files" | "countFiles" | "links" | "deleteFile" | "shareFile" | "revokeLink">;

type Page = Awaited<ReturnType<Bucket["files"]>>;
type Counted = Awaited<ReturnType<Bucket["countFiles"]>>;

/** Fetches pages until one has files. A page of a search may be empty, or contain no shared file. */
async function fetchPage(
  { files }: Bucket,
  { query, kind }: Wanted,
  cursor: string | null,
  shared: ReadonlySet<string>,
): Promise<Page> {
  const text = query.trim().slice(0, 100);
  const input = { ...(text !== "" && { query: text }), ...(kind !== "all" && kind !== "shared" && { kind }) };
  const fetchAt = async (at: string | null): Promise<Page> => {
    const page = await files({ ...input, ...(at !== null && { cursor: at }) });
    return kind === "shared" ? { ...page, list: page.list.filter(({ file_id }) => shared.has(file_id)) } : page;
  };
  let page = await fetchAt(cursor);
  while (page.list.length === 0 && page.nextCursor !== null) page = await fetchAt(page.nextCursor);
  return page;
}

/** The loaded pages. Results that arrive after a newer search has started are ignored. */
function createPages(bucket: Bucket, wanted: ReadonlySignal<Wanted>, links: ReadonlySignal<readonly FileLinkView[]>) {
  const files = signal<readonly OwnFileView[] | null>(null);
  const next = signal<string | null>(null);
  let searches = 0;
  /** Fetches the page at a cursor. Null is the first page, which replaces the list. */
  const fetchAt = async (cursor: string | null): Promise<void> => {
    const search = (searches += 1);
    const shared = new Set(links.peek().map(({ file_id }) => file_id));
    const page = await fetchPage(bucket, wanted.peek(), cursor, shared);
    if (search !== searches) return;
    files.value = [...(cursor === null ? [] : (files.peek() ?? [])), ...page.list];
    next.value = page.nextCursor;
  };
  return { files, next, fetchAt };
}

export function createOwnFiles(bucket: Bucket): OwnFiles {
  const wanted = signal(everything);
  const links = signal<readonly FileLinkView[]>([]);
  const { files, next, fetchAt } = createPages(bucket, wanted, links);
  const { problem, attempt } = createAttempts(problemOf);
  const more = computed(() => next.value !== null);
  const counted = signal<Counted | null>(null);
  /** A failure is ignored, because the page works without the counts. */
  const count = (): Promise<void> =>
    bucket.countFiles({}).then(
      (result) => void (counted.value = result),
      () => {},
    );
  const loadLinks = async (): Promise<void> => {
    links.value = await bucket.links({});
  };
  const load = (): Promise<void> =>
    attempt(async () => void (await Promise.all([fetchAt(null), loadLinks(), count()])));
  return {
    wanted,
    files,
    links,
    counted,
    more,
    problem,
    load,
    loadMore: async () => (more.peek() ? attempt(() => fetchAt(next.peek())) : undefined),
    find(change) {
      wanted.value = { ...wanted.peek(), ...change };
      return attempt(() => fetchAt(null));
    },
    async remove(md5) {
      await bucket.deleteFile({ md5 });
      files.value = files.peek()?.filter(({ file_id }) => file_id !== md5) ?? null;
      links.value = links.peek().filter(({ file_id }) => file_id !== md5);
      await count();
    },
    async share(md5, life) {
      const link = await bucket.shareFile({ md5, life });
      await loadLinks().catch(() => {});
      return link;
    },
    async revoke(id) {
      await bucket.revokeLink({ id });
      links.value = links.peek().filter((link) => link.id !== id);
    },
  };
}
