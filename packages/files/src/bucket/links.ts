import { randomBytes } from "node:crypto";
import { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import { digestOf } from "@telex/ground/security";
import type { Clock } from "@telex/ground/time";
import { filePath, sharedPath } from "../blobs/names.ts";
import type { UploadedFile } from "../records.ts";
import type { BucketContract, FileLinkView } from "./contract.ts";
import type { BucketLimits } from "./limits.ts";
import { nameOf } from "./name-search.ts";
import { findOwn } from "./own-files.ts";
import type { BucketStore } from "./store.ts";

/** A stored link to a file. */
interface FileLink {
  readonly linkId: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  readonly kind: "file";
  readonly makerId: number;
  readonly slot: null;
  /** JSON of {@link shared}. */
  readonly data: string;
  readonly uses: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds: from then on it opens nothing. */
  readonly until: number;
}

type Stored = Pick<FileLink, "linkId" | "data" | "createdAt" | "until"> & {
  readonly makerId: number | null;
  /** Unix milliseconds, or null. */
  readonly revokedAt: number | null;
};

/** Where links are kept: the store of links of accounts. */
interface FileLinkStore {
  /** Adds a link, unless its maker has `limit` links of its kind that are open. */
  issueLink(link: FileLink, limit: number): Promise<"issued" | "limit_reached">;
  /** The link, if it is open at `now` (Unix milliseconds), or null. */
  findLink(use: { readonly digest: string; readonly kind: "file"; readonly now: number }): Promise<Stored | null>;
  /** Links of a maker with an id above `after`, by id, at most `limit`. Ended links are among them. */
  listLinks(page: {
    readonly kind: "file";
    readonly makerId: number;
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly Stored[]>;
  /** Ends a link, and returns it. Null if the maker has no link with this id. */
  revokeLink(key: {
    readonly linkId: string;
    readonly kind: "file";
    readonly makerId: number;
    readonly now: number;
  }): Promise<Stored | null>;
}

/** How links are stored and opened. */
export interface FileLinksDeps {
  readonly store: BucketStore;
  readonly links: FileLinkStore;
  readonly clock: Clock;
  readonly limits: Pick<BucketLimits, "fileLinks" | "fileLinkLife">;
  /** True if downloads need no token. */
  readonly arePublic: boolean;
  /** Links of a user who was removed or suspended open nothing. */
  readonly isActive: (userId: number) => Promise<boolean>;
}

/** The file of a link. A later upload of the same bytes is another one. */
const shared = z.object({ md5: z.string(), name: z.string(), uploadedAt: z.int() });

/** More uses than can happen: a link ends by time. */
const unlimited = Number.MAX_SAFE_INTEGER;

function viewOf({ linkId, data, createdAt, until }: Stored | FileLink): FileLinkView {
  const { md5, name } = shared.parse(JSON.parse(data));
  return { id: linkId, file_id: md5, name, createTime: createdAt, expireTime: until };
}

/** The upload that a link opens, or null. */
async function uploadOf({ store }: FileLinksDeps, { makerId, data }: Pick<Stored, "makerId" | "data">) {
  const { md5, uploadedAt } = shared.parse(JSON.parse(data));
  const [upload] = makerId === null ? [] : await store.findUploads(makerId, [md5]);
  return upload?.uploadedAt === uploadedAt ? upload : null;
}

type ShareInput = z.output<BucketContract["shareFile"]["input"]>;
type ShareOutput = z.output<BucketContract["shareFile"]["output"]>;

/**
 * Makes a link to an upload. The file is kept until the link ends.
 * @throws TelexError `file_not_found`, `limit_reached`
 */
export async function shareFile(deps: FileLinksDeps, userId: number, { md5, life }: ShareInput): Promise<ShareOutput> {
  const upload = await findOwn(deps, userId, md5);
  const createdAt = deps.clock.now();
  const until = createdAt + Math.min(life * 1000, deps.limits.fileLinkLife);
  // The file is held first, so that a link never outlives it.
  if (!(await deps.store.holdUpload({ userId, md5, until }))) throw new TelexError("file_not_found");
  const secret = randomBytes(16).toString("hex");
  const name = nameOf(upload);
  const data = JSON.stringify({ md5, name, uploadedAt: upload.uploadedAt });
  const ids = { linkId: randomBytes(8).toString("hex"), digest: digestOf(secret), makerId: userId };
  const link: FileLink = { ...ids, kind: "file", slot: null, data, uses: unlimited, createdAt, until };
  const max = deps.limits.fileLinks;
  if ((await deps.links.issueLink(link, max)) === "limit_reached")
    throw new TelexError("limit_reached", { params: { max } });
  return { ...viewOf(link), url: filePath({ relativePath: sharedPath(secret, name), name }), public: deps.arePublic };
}

/** The open links of a user, newest first. A user has a bounded number. */
export async function listLinks(deps: FileLinksDeps, userId: number): Promise<FileLinkView[]> {
  const page = { kind: "file", makerId: userId, after: "", limit: deps.limits.fileLinks } as const;
  const now = deps.clock.now();
  const isOpen = ({ revokedAt, until }: Stored): boolean => revokedAt === null && until > now;
  const open = (await deps.links.listLinks(page)).filter(isOpen);
  const existing = await Promise.all(open.map(async (link) => (await uploadOf(deps, link)) !== null));
  return open
    .filter((_link, at) => existing[at])
    .map(viewOf)
    .toSorted((a, b) => b.createTime - a.createTime);
}

/** @throws TelexError `not_found` */
export async function revokeLink({ links, clock }: FileLinksDeps, userId: number, linkId: string): Promise<void> {
  const revoked = await links.revokeLink({ linkId, kind: "file", makerId: userId, now: clock.now() });
  if (revoked === null) throw new TelexError("not_found");
}

/** Ends the links to a file that its user has deleted. They no longer open anything; afterwards they no longer count either. */
export async function revokeLinksTo(deps: FileLinksDeps, userId: number, md5: string): Promise<void> {
  const page = { kind: "file", makerId: userId, after: "", limit: deps.limits.fileLinks } as const;
  const links = await deps.links.listLinks(page);
  for (const link of links) if (viewOf(link).file_id === md5) await revokeLink(deps, userId, link.linkId);
}

/** The upload behind the secret of a link, or null if the link has ended, or its maker has deleted the file. */
export async function openLink(deps: FileLinksDeps, secret: string): Promise<UploadedFile | null> {
  const link = await deps.links.findLink({ digest: digestOf(secret), kind: "file", now: deps.clock.now() });
  if (link === null || link.makerId === null || !(await deps.isActive(link.makerId))) return null;
  return uploadOf(deps, link);
}
