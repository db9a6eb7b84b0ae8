import { randomBytes } from "node:crypto";
import { TelexError } from "@telex/core";
import type { LinkKind } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";
import { digestOf, generateSecret, isSecretShaped } from "../credentials/secrets.ts";

/** A link that was made. Its secret is shown once. */
export interface MadeLink {
  readonly id: string;
  /** In a link that people open, the secret is in the fragment, which browsers send to no server. */
  readonly url: string;
  /** Unix milliseconds. */
  readonly until: number;
}

interface NewLink {
  readonly kind: LinkKind;
  /** The page that it opens, such as `/user/join`. */
  readonly page: string;
  /** The user who makes it; null for the operator. */
  readonly makerId: number | null;
  readonly data: object;
  /** Milliseconds. */
  readonly life: number;
  /** Default 1. */
  readonly uses?: number;
  /** A new link ends the earlier one with the same slot. Default: none. */
  readonly slot?: string;
  /** The id begins with it, so that the links of one thing are listed together. Default: none. */
  readonly prefix?: string;
  /** True if programs call the address: the secret is the last part of its path. Default false: in the fragment. */
  readonly isCalled?: boolean;
}

/** Maximum usable links of one kind and maker. */
const most = 1000;

/** The digest of the secret of a link. Throws `link_ended` for a text that is not a secret. */
export function readLink(secret: string): string {
  if (!isSecretShaped("link", secret)) throw new TelexError("link_ended");
  return digestOf(secret);
}

/** Makes a link. Throws `quota_exceeded` if its maker has too many. */
export async function makeLink(
  { telex, storage, baseUrl }: AuthDeps,
  { kind, page, makerId, data, life, uses = 1, slot, prefix = "", isCalled = false }: NewLink,
): Promise<MadeLink> {
  const secret = generateSecret("link");
  const now = telex.clock.now();
  const link = {
    linkId: prefix + randomBytes(12).toString("hex"),
    digest: digestOf(secret),
    kind,
    makerId,
    slot: slot ?? null,
    data: JSON.stringify(data),
    uses,
    createdAt: now,
    until: now + life,
  };
  const outcome = await storage.accounts.issueLink(link, most);
  if (outcome === "limit_reached") throw new TelexError("quota_exceeded", { params: { retryAfter: 3600 } });
  return { id: link.linkId, url: `${baseUrl()}${page}${isCalled ? "/" : "#"}${secret}`, until: link.until };
}
