import type { LinkRecord, LinkStore, LinkUse } from "@telex/core/storage";
import { asPrimary, collectionOf } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import { oneText } from "../driver/schema.ts";
import type { Tx } from "../driver/transaction.ts";
import type { StoreDeps } from "../stores/deps.ts";
import { touchRoot } from "../stores/quotas.ts";

type Link = Documents["links"];

const recordOf = ({ _id, ...link }: Link): LinkRecord => link;

const isOpen = ({ revokedAt, used, uses, until }: LinkRecord, now: number): boolean =>
  revokedAt === null && used < uses && until > now;

const canUse = (link: LinkRecord, { kind, now, mostMisses = Number.POSITIVE_INFINITY }: LinkUse): boolean =>
  link.kind === kind && isOpen(link, now) && link.misses < mostMisses;

/** The link if it can be used, or null. */
export async function findLink(tx: Tx, use: LinkUse): Promise<Link | null> {
  const [link] = await tx.list("links", { digest: use.digest }, { limit: 1 });
  return link !== undefined && canUse(link, use) ? link : null;
}

/** Counts a use of a link that was found in the same transaction. */
export function takeLink(tx: Tx, link: Link): LinkRecord {
  const taken = { ...link, used: link.used + 1 };
  tx.put("links", taken);
  return recordOf(taken);
}

/** The root of the links of a maker. */
const makerRoot = (makerId: number | null, kind: string): string => `links/${makerId ?? ""}/${kind}`;

async function issue(
  tx: Tx,
  given: Parameters<LinkStore["issueLink"]>[0],
  limit: number,
): Promise<"issued" | "limit_reached"> {
  const { linkId, makerId, kind, slot, createdAt } = given;
  await touchRoot(tx, makerRoot(makerId, kind));
  const others = (await tx.list("links", { makerId, kind })).filter((one) => slot === null || one.slot !== slot);
  const open = others.filter((one) => isOpen(one, createdAt));
  if (open.length >= limit) return "limit_reached";
  if (others.length >= limit) for (const one of others) if (!isOpen(one, createdAt)) tx.drop("links", one._id);
  if (slot !== null) await tx.dropAll("links", { slot: oneText(slot) });
  tx.put("links", { _id: linkId, ...given, used: 0, misses: 0, revokedAt: null });
  return "issued";
}

async function revoke(
  tx: Tx,
  { linkId, kind, makerId, now }: Parameters<LinkStore["revokeLink"]>[0],
): Promise<LinkRecord | null> {
  const link = await tx.find("links", linkId);
  if (link === null || link.kind !== kind || (makerId !== undefined && link.makerId !== makerId)) return null;
  if (link.revokedAt !== null) return recordOf(link);
  const revoked = { ...link, revokedAt: now };
  tx.put("links", revoked);
  return recordOf(revoked);
}

export function createLinkVerbs({ db, batches }: StoreDeps): LinkStore {
  const links = collectionOf(db, "links");
  const { write, single } = batches;
  return {
    issueLink: ({ ...link }, limit) => write(makerRoot(link.makerId, link.kind), (tx) => issue(tx, link, limit)),
    findLink: (use) =>
      single(async () => {
        const link = await links.findOne({ digest: use.digest }, asPrimary);
        return link !== null && canUse(link, use) ? recordOf(link) : null;
      }),
    consumeLink: ({ ...use }) =>
      write(`link ${use.digest}`, async (tx) => {
        const link = await findLink(tx, use);
        return link === null ? null : takeLink(tx, link);
      }),
    listLinks: ({ kind, makerId, after, limit }) =>
      single(async () => {
        const filter = { kind, _id: { $gt: after }, ...(makerId !== undefined && { makerId }) };
        return (await links.find(filter, { sort: { _id: 1 }, limit }).toArray()).map(recordOf);
      }),
    revokeLink: ({ ...key }) => write(`link id ${key.linkId}`, (tx) => revoke(tx, key)),
  };
}
