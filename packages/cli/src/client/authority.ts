import * as oauth from "oauth4webapi";
import { Failure } from "../errors/errors.ts";
import { jsonOf, textOf } from "../input/unknown.ts";
import type { Renewal } from "../profiles/store.ts";
import { failureOf, noTelex } from "./failures.ts";
import { patience } from "./patience.ts";
import { send } from "./requests.ts";

/** The part of a server that signs the command line in (RFC 8628). */
export interface Authority {
  /** The address of the server, as it was given. */
  readonly url: string;
  readonly metadata: oauth.AuthorizationServer;
}

/** An access token, and how to get the next one. */
export interface Tokens {
  readonly token: string;
  readonly renewal: Renewal;
}

/** The application that every installation knows. The command reads no claim of an ID token, so a wrong clock must not stop it. */
export const commandLine: oauth.Client = { client_id: "telex-cli", [oauth.clockTolerance]: 10 * 365 * 86_400 };

/** Options of one request. Servers on the same machine or network are also used without HTTPS. */
export const requestOptions = () => ({
  [oauth.allowInsecureRequests]: true,
  signal: AbortSignal.timeout(patience),
});

const isLoopback = ({ hostname }: URL): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** True if both addresses lead to one server: without `baseUrl`, a server calls itself `localhost`. */
function isSameServer(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (a === null || b === null) return false;
  return a.origin === b.origin || (isLoopback(a) && isLoopback(b) && a.port === b.port && a.protocol === b.protocol);
}

/**
 * Requires an address of this server: otherwise it could send people to another server to confirm a sign-in there, and keep the token.
 * @throws Failure `other_address`
 */
export function assertSameServer(address: string, url: string): void {
  if (isSameServer(address, url)) return;
  const name = URL.parse(address)?.origin ?? "something else";
  throw new Failure(
    "other_address",
    `The server at ${url} calls itself ${name}. If this is right, use telex login --url ${name}.`,
  );
}

/**
 * Asks a server how the command line can sign in.
 * @returns null if the server has no accounts, or no sign-in for the command line
 * @throws Failure `unreachable`, `other_address`, `unavailable`
 */
export async function findAuthority(url: string): Promise<Authority | null> {
  const address = `${url}/.well-known/oauth-authorization-server`;
  try {
    const response = await send(new Request(address, { signal: AbortSignal.timeout(patience) }));
    if (response.status === 429 || response.status >= 500) throw unavailable(url, response.status);
    const stated: unknown = response.ok ? jsonOf(await response.text()) : null;
    const issuer = textOf(stated, "issuer", "");
    const device = textOf(stated, "device_authorization_endpoint", "");
    if (issuer === "" || device === "") return null;
    assertSameServer(issuer, url);
    const here = (endpoint: string): string => `${url}${URL.parse(endpoint)?.pathname ?? ""}`;
    const metadata = {
      issuer,
      device_authorization_endpoint: here(device),
      token_endpoint: here(textOf(stated, "token_endpoint", "")),
      revocation_endpoint: here(textOf(stated, "revocation_endpoint", "")),
    };
    return { url, metadata };
  } catch (error) {
    throw failureOf(error, url);
  }
}

const unavailable = (url: string, status: number): Failure =>
  new Failure("unavailable", `${url} answered ${status}. Try again later.`);

/** The failure of a request to the authorization server. An OAuth error response is returned as it is. */
export function authorityFailure(error: unknown, url: string): unknown {
  if (error instanceof oauth.ResponseBodyError) return error;
  if (!(error instanceof oauth.OperationProcessingError)) return failureOf(error, url);
  const status = error.cause instanceof Response ? error.cause.status : 200;
  return status === 429 || status >= 500 ? unavailable(url, status) : noTelex(url);
}

/** The tokens of a response. */
export function tokensOf(response: oauth.TokenEndpointResponse): Tokens {
  const { access_token: token, refresh_token: refreshToken = "", expires_in: life = 0 } = response;
  return { token, renewal: { refreshToken, expiresAt: Date.now() + life * 1000 } };
}

/**
 * Exchanges a refresh token for new tokens.
 * @returns null if the sign-in has ended
 * @throws Failure `unreachable`, `unavailable`, `no_telex`
 */
export async function renewTokens({ url, metadata }: Authority, refreshToken: string): Promise<Tokens | null> {
  try {
    const proof = oauth.None();
    const request = oauth.refreshTokenGrantRequest(metadata, commandLine, proof, refreshToken, requestOptions());
    return tokensOf(await oauth.processRefreshTokenResponse(metadata, commandLine, await request));
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) return null;
    throw authorityFailure(error, url);
  }
}

/**
 * Ends a sign-in: the server then rejects its tokens.
 * @throws Failure `unreachable`, `unavailable`, `no_telex`
 */
export async function revokeTokens({ url, metadata }: Authority, refreshToken: string): Promise<void> {
  try {
    const request = oauth.revocationRequest(metadata, commandLine, oauth.None(), refreshToken, requestOptions());
    await oauth.processRevocationResponse(await request);
  } catch (error) {
    throw error instanceof oauth.ResponseBodyError ? noTelex(url) : authorityFailure(error, url);
  }
}
