import { randomBytes, timingSafeEqual } from "node:crypto";
import { type Clock, TelexError } from "@telex/core";
import type { ClientRecord, GrantStore } from "@telex/core/storage";
import type { ClientMetadata } from "oidc-provider";
import { digestOf, generateSecret } from "../../credentials/secrets.ts";
import { ClientDocumentError, type ClientDocuments, hostOfClient } from "./documents.ts";
import { grantTypes } from "./view.ts";
import { isNative, isRedirectUri } from "./redirect-uris.ts";
import { oauthScopes } from "../scopes.ts";

/** A new application. */
export interface NewClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly grants: readonly (keyof typeof grantTypes)[];
  readonly scopes: readonly string[];
  /** True for an application on a server, which can keep a secret. */
  readonly hasSecret: boolean;
}

/** Applications that may ask people for access. */
export interface Clients {
  /** True if applications may describe themselves in a document. */
  readonly hasDocuments: boolean;
  /**
   * The metadata of an application for the provider, or null.
   * @throws ClientDocumentError
   * @throws TelexError `rate_limited`, if the document would have to be read
   */
  readonly metadataOf: (clientId: string) => Promise<ClientMetadata | null>;
  /** An application, or null. Throws `rate_limited` as well. */
  readonly find: (clientId: string) => Promise<ClientRecord | null>;
  /** The name of an application in a list: the host, if it has chosen the name itself. Reads no document. */
  readonly nameOf: (clientId: string) => Promise<string>;
  readonly list: (page: { readonly after: string; readonly limit: number }) => Promise<readonly ClientRecord[]>;
  /** Registers an application. Only a digest of the secret is stored, so it is returned only here. Throws `invalid_request` for its addresses. */
  readonly add: (client: NewClient) => Promise<{ readonly client: ClientRecord; readonly secret: string | null }>;
  /** Removes an application, and ends all that people have granted to it. Throws `not_found`. */
  readonly remove: (clientId: string) => Promise<void>;
}

/** The command line, which every installation knows. */
const commandLine: ClientRecord = {
  clientId: "telex-cli",
  name: "telex (command line)",
  secretDigest: null,
  redirectUris: [],
  grantTypes: [grantTypes.device, grantTypes.refresh],
  scopes: [...oauthScopes],
  metadata: "{}",
  createdAt: 0,
};

function assertRedirectUri(text: string): void {
  if (isRedirectUri(text)) return;
  throw new TelexError("invalid_request", { issues: [{ path: "redirectUris", problem: "invalid", params: {} }] });
}

/** The grant of a code needs a redirect URI, and no other grant has one. */
function assertRedirects(hasCode: boolean, redirectUris: readonly string[]): void {
  redirectUris.forEach(assertRedirectUri);
  if (hasCode !== redirectUris.length > 0)
    throw new TelexError("invalid_request", { issues: [{ path: "redirectUris", problem: "invalid", params: {} }] });
}

function metadataFor({ clientId, name, secretDigest, redirectUris, ...client }: ClientRecord): ClientMetadata {
  const isOnDevice = secretDigest === null && redirectUris.some(isNative);
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirectUris],
    grant_types: [...client.grantTypes],
    response_types: client.grantTypes.includes(grantTypes.code) ? ["code"] : [],
    scope: client.scopes.join(" "),
    application_type: isOnDevice ? "native" : "web",
    token_endpoint_auth_method: secretDigest === null ? "none" : "client_secret_basic",
    ...(secretDigest !== null && { client_secret: secretDigest }),
  };
}

/** True if a secret has the given digest. */
export function isSecretOf(digest: string, secret: string): boolean {
  const [stored, shown] = [Buffer.from(digest), Buffer.from(digestOf(secret))];
  return stored.length === shown.length && timingSafeEqual(stored, shown);
}

interface ClientsDeps {
  readonly grants: GrantStore;
  readonly clock: Clock;
  /** True if `telex login` works. */
  readonly hasCommandLine: boolean;
  /** Null: applications have to be registered. */
  readonly documents: ClientDocuments | null;
}

/** Grants that are ended in one step. */
const chunk = 100;

/** Applications, in the store and built in. */
export function createClients({ grants, clock, hasCommandLine, documents }: ClientsDeps): Clients {
  const registered = async (clientId: string): Promise<ClientRecord | null> => {
    if (clientId === commandLine.clientId) return hasCommandLine ? commandLine : null;
    return clientId.length > 128 ? null : await grants.findClient(clientId);
  };
  const read = async (clientId: string): Promise<ClientRecord | null> =>
    documents?.isAddress(clientId) === true ? await documents.read(clientId) : await registered(clientId);
  const endAll = async (clientId: string): Promise<void> => {
    while ((await grants.endGrants({ clientId }, chunk)) > 0);
  };
  return {
    hasDocuments: documents !== null,
    async find(clientId) {
      try {
        return await read(clientId);
      } catch (error) {
        if (error instanceof ClientDocumentError) return null;
        throw error;
      }
    },
    async metadataOf(clientId) {
      const client = await read(clientId);
      return client === null ? null : metadataFor(client);
    },
    nameOf: async (clientId) => hostOfClient(clientId) ?? (await registered(clientId))?.name ?? clientId,
    list: async (page) => await grants.listClients(page),
    async add({ name, redirectUris, grants: names, scopes, hasSecret }) {
      assertRedirects(names.includes("code"), redirectUris);
      const secret = hasSecret ? generateSecret("client") : null;
      const client: ClientRecord = {
        clientId: randomBytes(12).toString("hex"),
        name,
        secretDigest: secret === null ? null : digestOf(secret),
        redirectUris: [...redirectUris],
        grantTypes: names.map((one) => grantTypes[one]),
        scopes: [...scopes],
        metadata: "{}",
        createdAt: clock.now(),
      };
      await grants.addClient(client);
      return { client, secret };
    },
    async remove(clientId) {
      await endAll(clientId);
      if (!(await grants.dropClient(clientId))) throw new TelexError("not_found");
      // Ends a grant that was made between the two steps.
      await endAll(clientId);
    },
  };
}
