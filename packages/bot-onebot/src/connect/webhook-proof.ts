import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { createSlots } from "@telex/ws/acceptor";
import type { OneBotAccount } from "../account/options.ts";
import type { Version } from "../wire/dialect.ts";
import { digestOf } from "./doorman.ts";
import type { KeptHttp } from "./keep-http.ts";
import { readToken } from "../link/places.ts";

/** An account whose implementation posts its events. */
export interface WebhookAccount {
  readonly options: OneBotAccount;
  readonly http: Pick<KeptHttp, "take">;
}

export type Slots = ReturnType<typeof createSlots>;

export interface WebhookAddress {
  readonly version: Version;
  readonly account: string;
}

/** The path for events of each version, below the base path of the host. */
export const webhookPaths: Readonly<Record<Version, string>> = {
  11: "/onebot/v11/webhook/",
  12: "/onebot/v12/webhook/",
};

/** The account and version of a path; null for any other path. */
export function readAddress(path: string, basePath: string): WebhookAddress | null {
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : "";
  const version = ([11, 12] as const).find((one) => rest.startsWith(webhookPaths[one]));
  const name = version === undefined ? "" : rest.slice(webhookPaths[version].length).replace(/\/$/, "");
  if (version === undefined || name === "" || name.includes("/")) return null;
  try {
    return { version, account: decodeURIComponent(name) };
  } catch {
    return null;
  }
}

/** The proof of origin that an event carries. */
export type Proof =
  | { readonly kind: "none" }
  /** A token, or no proof, which counts as a wrong one. */
  | { readonly kind: "token"; readonly digest: string | null }
  /** A signature of the body, in OneBot 11. */
  | { readonly kind: "signature"; readonly header: string; readonly bytes: Buffer };

export function proofOf(request: IncomingMessage, { version }: WebhookAddress): Proof {
  const header = version === 11 ? request.headers["x-signature"] : undefined;
  if (typeof header === "string") {
    const digits = /^sha1=([0-9a-f]{40})$/i.exec(header)?.[1];
    // The length of a signature says nothing about an account: a wrong one is refused before any look-up.
    return digits === undefined
      ? { kind: "token", digest: null }
      : { kind: "signature", header, bytes: Buffer.from(digits, "hex") };
  }
  const digest = digestOf(readToken(request));
  return digest === null ? { kind: "none" } : { kind: "token", digest };
}

/** False if only the body can show it. */
export const isProven = (secret: string | null, proof: Proof): boolean =>
  secret !== null && proof.kind === "token" && proof.digest === digestOf(secret);

/** True if the body proves its sender, or if the account needs no proof. */
export const isGenuine = (secret: string | null, proof: Proof, event: Buffer): boolean =>
  secret === null ||
  (proof.kind === "signature" && timingSafeEqual(proof.bytes, createHmac("sha1", secret).update(event).digest()));
