import type { Clock } from "@telex/core";
import { list, shortText, text } from "@telex/core/contract";
import type { ClientRecord } from "@telex/core/storage";
import { createOutgoing, OutgoingError } from "@telex/outgoing";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { countIn, createAttemptWindow } from "../../throttle/window.ts";
import { grantTypes } from "./view.ts";
import type { ClientDocumentOptions } from "../oauth-options.ts";
import { isRedirectUri } from "./redirect-uris.ts";
import { oauthScopes } from "../scopes.ts";

/** Bytes of a document. */
const maxBytes = 16 * 1024;

/** Documents that are kept, and the milliseconds until one is read again, and until one is forgotten that cannot be read again. */
const caching = { most: 500, fresh: 900_000, stale: 86_400_000 };

/** Documents that are read in a minute, for one network and for all. */
const limits = { network: 20, all: 100, time: 60_000 };

/** Characters of the address of a document. */
const longest = 256;

/** The reason why a document describes no application. The message says nothing about the network in which the server is. */
export class ClientDocumentError extends Error {
  override readonly name = "ClientDocumentError";
  /** True if the document may be valid, but could not be read. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary = false, cause?: unknown) {
    super(message, { cause });
    this.isTemporary = isTemporary;
  }
}

/** The host of an application whose id is the address of its document; null for another application. */
export const hostOfClient = (clientId: string): string | null =>
  /^https?:\/\//.test(clientId) ? (URL.parse(clientId)?.host ?? null) : null;

const documentSchema = z.object({
  client_id: shortText(longest, 1),
  client_name: text(1, 64).optional(),
  redirect_uris: list(shortText(512, 1).refine(isRedirectUri), 20, 1),
  grant_types: list(shortText(100), 10).default([grantTypes.code]),
  scope: shortText(1000).optional(),
  token_endpoint_auth_method: z.literal("none").optional(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
});

const wrongField = (name: string): string =>
  `The document about the application is not as this server needs it: ${name}.`;

function parse(body: Uint8Array): z.output<typeof documentSchema> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString());
  } catch (error) {
    throw new ClientDocumentError("The document about the application is not JSON.", false, error);
  }
  const { success, data, error } = documentSchema.safeParse(value);
  if (success) return data;
  throw new ClientDocumentError(wrongField(String(error.issues[0]?.path[0] ?? "no object")));
}

/** The name without invisible characters, and without those that change the direction of others. */
const visible = (name: string): string => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();

/** The application of a document. It has no secret, and shows no codes: a stranger can publish a document, and lure people with a code. */
function clientOf(address: string, body: Uint8Array): ClientRecord {
  const document = parse(body);
  if (document.client_id !== address) throw new ClientDocumentError(wrongField("client_id must be its address"));
  const requested = document.scope?.split(" ") ?? oauthScopes;
  const scopes = oauthScopes.filter((scope) => requested.includes(scope));
  if (scopes.length === 0)
    throw new ClientDocumentError(wrongField(`scope must name one of ${oauthScopes.join(", ")}`));
  const grants = [grantTypes.code, grantTypes.refresh].filter((grant) => document.grant_types.includes(grant));
  if (!grants.includes(grantTypes.code)) throw new ClientDocumentError(wrongField("grant_types"));
  const name = visible(document.client_name ?? "");
  return {
    clientId: address,
    name: name === "" ? (hostOfClient(address) ?? address) : name,
    secretDigest: null,
    redirectUris: document.redirect_uris,
    grantTypes: grants,
    scopes,
    metadata: "{}",
    createdAt: 0,
  };
}

interface ClientDocumentsDeps {
  readonly clock: Clock;
  /** The network for which a document is read. */
  readonly network: () => string;
}

/** Counts a document that is read. Throws TelexError `rate_limited`. */
function createLimit({ clock, network }: ClientDocumentsDeps): () => void {
  const { time, ...most } = limits;
  const ofNetwork = createAttemptWindow({ clock, ratePeers: null }, { most: most.network, time });
  const ofAll = createAttemptWindow({ clock, ratePeers: null }, { most: most.all, time });
  return () => countIn([ofNetwork, network()], [ofAll, ""]);
}

const unreadable = "The document about the application cannot be read.";

/** A failed request as a failure of the document, which is temporary unless the document is too large. Other errors stay as they are. */
const documentErrorOf = (error: unknown): unknown =>
  error instanceof OutgoingError ? new ClientDocumentError(unreadable, error.failure !== "too_large", error) : error;

/** Reads one document over the guarded client, without following redirects. */
function createReader({
  allow = [],
  timeout = 3000,
}: ClientDocumentOptions): (address: string) => Promise<ClientRecord> {
  const outgoing = createOutgoing({ allow, timeout, maxBytes });
  return async (address) => {
    const request = { method: "GET", headers: { accept: "application/json" } } as const;
    const answer = await outgoing.send(address, request).catch((error: unknown) => {
      throw documentErrorOf(error);
    });
    if (answer.status !== 200) throw new ClientDocumentError(unreadable, answer.status >= 500);
    return clientOf(address, answer.body);
  };
}

/** True for an error that says nothing about the document itself. */
const isPassing = (error: unknown): boolean => !(error instanceof ClientDocumentError) || error.isTemporary;

/** Applications that describe themselves in a document, whose address is their id (OAuth Client ID Metadata Document). */
export interface ClientDocuments {
  /** True for an id that is the address of a document. */
  readonly isAddress: (clientId: string) => boolean;
  /**
   * The application of a document, which is read unless it was read in the last 15 minutes. If it can no longer be read, its last content counts
   * for a day.
   * @throws ClientDocumentError
   * @throws TelexError `rate_limited`
   */
  readonly read: (address: string) => Promise<ClientRecord>;
}

/**
 * Reads the documents of applications.
 * @throws TypeError for an entry of `allow` that is not `host:port`
 */
export function createClientDocuments(deps: ClientDocumentsDeps, options: ClientDocumentOptions): ClientDocuments {
  const { clock } = deps;
  const { allow = [] } = options;
  const count = createLimit(deps);
  const read = createReader(options);
  const documents = new LRUCache<string, { readonly client: ClientRecord; readonly at: number }>({
    maxSize: caching.most,
    sizeCalculation: () => 1,
    ttl: caching.fresh,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
    async fetchMethod(address, before) {
      try {
        count();
        return { client: await read(address), at: clock.now() };
      } catch (error) {
        if (before === undefined || !isPassing(error) || clock.now() - before.at >= caching.stale) throw error;
        return before;
      }
    },
  });
  return {
    isAddress(clientId) {
      const url = clientId.length > longest ? null : URL.parse(clientId);
      if (url === null || url.href !== clientId || clientId.includes("#") || url.username !== "") return false;
      return url.protocol === "https:" || (url.protocol === "http:" && allow.includes(url.host));
    },
    async read(address) {
      return (await documents.forceFetch(address)).client;
    },
  };
}
