import type { Telex } from "@telex/core";
import { LRUCache } from "lru-cache";
import type * as OpenId from "openid-client";
import { type Claimed, readClaims } from "./claims.ts";
import { ProviderFailure } from "./failure.ts";
import type { FlowSecrets } from "./flows.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import type { ProviderOptions } from "./options.ts";

/** A provider as the rest of the package sees it. */
export interface Provider {
  readonly options: ProviderOptions;
  /**
   * The address at which a person signs in there.
   * @param isAgain asks the provider to let the person confirm that it is still them
   * @throws ProviderFailure `unavailable`
   */
  readonly begin: (secrets: FlowSecrets, isAgain: boolean) => Promise<URL>;
  /**
   * The claims of the provider about the person, after it has redirected the browser here.
   * @param query of the address to which it redirected
   * @throws ProviderFailure `unavailable`, `refused`, `denied`
   */
  readonly finish: (query: URLSearchParams, secrets: FlowSecrets) => Promise<Claimed>;
}

interface ProviderDeps {
  readonly telex: Pick<Telex, "log">;
  readonly baseUrl: () => string;
}

/** The library is loaded only if there is a provider. */
const loadOpenId = async () => await import("openid-client");

/** Milliseconds for which the metadata of a provider is cached. */
const metadataLife = 3_600_000;

/** Calls to one provider that wait for it: further ones fail, so that a slow one holds few connections. */
const mostWaiting = 30;

/** Longer ones break OpenID Connect (2). */
const longestSubject = 255;

type Library = typeof OpenId;

/** HTTP Basic, which each provider has unless it says otherwise. */
const authOf =
  ({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): OpenId.ClientAuth =>
  (as, client, body, headers) => {
    const methods = as.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isBasic = methods.includes("client_secret_basic") || !methods.includes("client_secret_post");
    (isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret))(as, client, body, headers);
  };

async function discover(library: Library, options: ProviderOptions, fetch: OpenId.CustomFetch) {
  const { issuer, clientId, clientSecret } = options;
  const secret = typeof clientSecret === "function" ? await clientSecret() : clientSecret;
  const auth = secret === undefined ? library.None() : authOf(library, secret);
  const isPlain = new URL(issuer).protocol === "http:";
  return await library.discovery(new URL(issuer), clientId, undefined, auth, {
    [library.customFetch]: fetch,
    execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
  });
}

/** True for a network error, also as the cause of another error. */
function isNetworkError(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  return error.name === "OutgoingError" || isNetworkError(error.cause, depth + 1);
}

const fieldOf = (error: unknown, name: string): string | null => {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : null;
  return typeof value === "string" ? value.slice(0, 128) : null;
};

/** The failure that an error of the library stands for. Its texts may hold the code, so the log gets words of the library only. */
function failureOf({ log }: Pick<Telex, "log">, { id: provider }: ProviderOptions, error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const answer = fieldOf(error, "error");
  const isRedirect = fieldOf(error, "code") === "OAUTH_AUTHORIZATION_RESPONSE_ERROR";
  const reason = isNetworkError(error)
    ? "unavailable"
    : isRedirect && answer === "access_denied"
      ? "denied"
      : "refused";
  const cause: unknown = error instanceof Error ? error.cause : null;
  if (reason !== "denied") {
    const problem = fieldOf(cause, "failure") ?? fieldOf(error, "failure") ?? fieldOf(error, "code") ?? "unknown";
    log.warn("provider.failed", { provider, reason, problem, answer, message: fieldOf(error, "message") });
  }
  return new ProviderFailure(reason, error);
}

/** Lets few calls wait for a provider. */
function createBound(options: ProviderOptions, { telex }: ProviderDeps) {
  let waiting = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting) throw new ProviderFailure("unavailable");
    waiting += 1;
    try {
      return await run();
    } catch (error) {
      throw failureOf(telex, options, error);
    } finally {
      waiting -= 1;
    }
  };
}

type Tokens = Awaited<ReturnType<Library["authorizationCodeGrant"]>>;

/** The claims of the ID token, and those that the provider returns only on request. */
async function claimsOf({ fetchUserInfo }: Library, config: OpenId.Configuration, tokens: Tokens) {
  const claims = tokens.claims();
  if (claims === undefined || claims.sub.length > longestSubject) throw new ProviderFailure("refused");
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
  return { ...more, ...claims };
}

/** The browser of a person follows the redirect: an address with another scheme could run in the page. */
function assertWeb(url: URL, { issuer }: ProviderOptions): URL {
  if (url.protocol === "https:" || url.protocol === new URL(issuer).protocol) return url;
  throw new ProviderFailure("unavailable");
}

/**
 * Signs people in with a provider: the code grant with PKCE, `state`, `nonce`, and an ID token whose signature is checked.
 * @throws TypeError for an entry of `allow` that is not `host:port`
 */
export function createProvider(options: ProviderOptions, deps: ProviderDeps): Provider {
  const { id, scopes = ["openid", "profile", "email"] } = options;
  const fetch = createGuardedFetch(options);
  const configurations = new LRUCache<string, OpenId.Configuration>({
    max: 1,
    ttl: metadataLife,
    fetchMethod: async () => await discover(await loadOpenId(), options, fetch),
  });
  const configure = async (): Promise<OpenId.Configuration> => {
    const config = await configurations.fetch(id);
    if (config === undefined) throw new ProviderFailure("unavailable");
    return config;
  };
  const bounded = createBound(options, deps);
  // Each provider has its own address, so that the answer of one of them is never mistaken for that of another.
  const redirect = (): string => `${deps.baseUrl()}/user/providers/${id}`;
  return {
    options,
    begin: (secrets, isAgain) =>
      bounded(async () => {
        const config = await configure();
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadOpenId();
        const parameters = {
          redirect_uri: redirect(),
          scope: scopes.join(" "),
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: "S256",
          state: secrets.state,
          nonce: secrets.nonce,
          ...(isAgain && { prompt: "login" }),
        };
        return assertWeb(buildAuthorizationUrl(config, parameters), options);
      }),
    finish: (query, { state, nonce, verifier }) =>
      bounded(async () => {
        const config = await configure();
        const library = await loadOpenId();
        const tokens = await library.authorizationCodeGrant(config, new URL(`${redirect()}?${query.toString()}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = await claimsOf(library, config, tokens);
        return readClaims({ issuer: claims.iss, subject: claims.sub }, claims, options);
      }),
  };
}
