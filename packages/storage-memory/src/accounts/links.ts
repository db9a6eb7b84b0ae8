import type { LinkRecord, LinkStore, LinkUse } from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";

/** All links. Only used within a step. */
export interface Links {
  /** The link, if it can be used. */
  readonly find: (use: LinkUse) => LinkRecord | null;
  readonly keep: (link: LinkRecord) => LinkRecord;
  /** Deletes the links of a maker. */
  readonly dropOf: (makerId: number) => void;
  readonly sweep: (now: number, limit: number) => number;
  readonly all: () => readonly LinkRecord[];
  readonly dropWhere: (isMeant: (link: LinkRecord) => boolean) => void;
}

const isOpen = ({ revokedAt, used, uses, until }: LinkRecord, now: number): boolean =>
  revokedAt === null && used < uses && until > now;

const canUse = (link: LinkRecord, { kind, now, mostMisses = Infinity }: LinkUse): boolean =>
  link.kind === kind && isOpen(link, now) && link.misses < mostMisses;

export function createLinks(): Links {
  const links = new Map<string, LinkRecord>();
  const dropWhere: Links["dropWhere"] = (isMeant) => {
    for (const [digest, link] of links) if (isMeant(link)) links.delete(digest);
  };
  return {
    find(use) {
      const link = links.get(use.digest);
      return link !== undefined && canUse(link, use) ? link : null;
    },
    keep(link) {
      links.set(link.digest, link);
      return link;
    },
    dropOf: (makerId) => dropWhere((link) => link.makerId === makerId),
    sweep(now, limit) {
      const ended = [...links.values()].filter(({ until }) => until <= now).slice(0, limit);
      for (const { digest } of ended) links.delete(digest);
      return ended.length;
    },
    all: () => [...links.values()],
    dropWhere,
  };
}

/** Counts a use of a link, if it can be used. */
export function useLink(links: Links, use: LinkUse): LinkRecord | null {
  const link = links.find(use);
  return link === null ? null : links.keep({ ...link, used: link.used + 1 });
}

function issue(links: Links, { ...given }: Parameters<LinkStore["issueLink"]>[0], limit: number) {
  const link: LinkRecord = { ...given, used: 0, misses: 0, revokedAt: null };
  const isEarlier = ({ slot }: LinkRecord): boolean => slot !== null && slot === link.slot;
  const isSame = (one: LinkRecord): boolean => one.makerId === link.makerId && one.kind === link.kind;
  const isFull = (): boolean => links.all().filter((one) => isSame(one) && !isEarlier(one)).length >= limit;
  if (isFull()) links.dropWhere((one) => isSame(one) && !isOpen(one, link.createdAt));
  if (isFull()) return "limit_reached";
  links.dropWhere(isEarlier);
  links.keep(link);
  return "issued";
}

/** Links in memory. */
export const createLinkVerbs = (verb: Verb, links: Links): LinkStore => ({
  issueLink: verb((link, limit) => issue(links, link, limit)),
  findLink: verb((use) => links.find(use)),
  consumeLink: verb((use) => useLink(links, use)),
  listLinks: verb(({ kind, makerId, after, limit }) =>
    links
      .all()
      .filter((one) => one.kind === kind && one.linkId > after && (makerId === undefined || one.makerId === makerId))
      .toSorted((a, b) => (a.linkId < b.linkId ? -1 : 1))
      .slice(0, limit),
  ),
  revokeLink: verb(({ linkId, kind, makerId, now }) => {
    const link = links.all().find((one) => one.linkId === linkId && one.kind === kind);
    if (link === undefined || (makerId !== undefined && link.makerId !== makerId)) return null;
    return link.revokedAt === null ? links.keep({ ...link, revokedAt: now }) : link;
  }),
});
