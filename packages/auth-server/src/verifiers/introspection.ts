import type { TokenVerifier } from "@telex/core";
import { z } from "zod";
import type { Claims, VerifierOptions } from "./options.ts";
import { type Confirmed, createCachedVerifier } from "./verdicts.ts";

/** Options of {@link createIntrospectionVerifier}. */
export interface IntrospectionOptions extends VerifierOptions {
  /** The introspection endpoint of the provider (RFC 7662). Redirects are not followed. */
  readonly endpoint: string;
  /** The client as which this server asks. */
  readonly clientId: string;
  /** Its secret, sent as HTTP Basic authentication. */
  readonly clientSecret: string;
  /** If given, the claim `iss` must be this. */
  readonly issuer?: string;
  /** If given, the claim `aud` must be this or contain it. Set it if the provider also issues tokens for other services. */
  readonly audience?: string;
  /** Seconds for which a valid token is trusted: a revoked one stays valid here for that time. Default 30. */
  readonly cacheSeconds?: number;
  /** Seconds for which an invalid token is refused without asking. Default 10. */
  readonly negativeSeconds?: number;
  /** Milliseconds after which a provider that does not respond counts as unavailable. Default 5,000. */
  readonly timeout?: number;
  /** Sends the request. Default: the `fetch` of Node. */
  readonly fetch?: typeof fetch;
}

/** Bytes of the longest response that is read. */
const longest = 65_536;

const responseBody = z.looseObject({
  active: z.boolean(),
  sub: z.string().optional(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  token_type: z.string().optional(),
});

type Introspection = z.output<typeof responseBody>;

const contains = (aud: Introspection["aud"], audience: string): boolean =>
  typeof aud === "string" ? aud === audience : (aud?.includes(audience) ?? false);

/** A valid access token that any holder may use. Providers also call refresh tokens active: those have no `token_type`. */
const isBearer = ({ active, token_type: type, cnf }: Introspection): boolean =>
  active && type?.toLowerCase() === "bearer" && cnf === undefined;

const isOurs = ({ iss, aud }: Introspection, { issuer, audience }: IntrospectionOptions): boolean =>
  (issuer === undefined || iss === issuer) && (audience === undefined || contains(aud, audience));

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
function basicOf({ clientId, clientSecret }: IntrospectionOptions): string {
  const encode = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}

async function readBounded(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > longest) throw new Error("The introspection endpoint sent too long a response.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Asks the provider about a token. Throws for every malformed response, because it says nothing about the token. */
async function introspect(token: string, options: IntrospectionOptions): Promise<Introspection> {
  const { endpoint, timeout = 5000, fetch: send = fetch } = options;
  const response = await send(endpoint, {
    method: "POST",
    headers: { authorization: basicOf(options), accept: "application/json" },
    body: new URLSearchParams({ token, token_type_hint: "access_token" }),
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The introspection endpoint responded with ${response.status}.`);
  }
  return responseBody.parse(JSON.parse(await readBounded(response.body)));
}

/** The claims of a response about a valid token; null for any other response. */
function confirmedBy(response: Introspection, options: IntrospectionOptions, now: number): Confirmed | null {
  const { active: _active, sub, exp, nbf = 0, ...others } = response;
  if (!isBearer(response) || !isOurs(response, options) || sub === undefined || nbf * 1000 > now) return null;
  const claims: Claims = { ...others, sub };
  return { claims, expiresAt: exp === undefined ? null : exp * 1000 };
}

/**
 * Verifies tokens by asking their provider (RFC 7662). A token is asked about once in `cacheSeconds`, however many callers show it
 * simultaneously. Tokens that are bound to a key (`cnf`), refresh tokens, and tokens without a subject are refused.
 *
 * A token that was revoked is accepted until its cache entry ends. Open connections stay until the end of their token.
 * @throws TypeError for an `endpoint` that is not a URL
 * @example
 * const tokens = createIntrospectionVerifier({
 *   endpoint: "https://login.example.org/token/introspection",
 *   clientId: "telex",
 *   clientSecret,
 *   userOf: userBySubject(storage.users),
 * });
 */
export function createIntrospectionVerifier(options: IntrospectionOptions): TokenVerifier {
  const { cacheSeconds = 30, negativeSeconds = 10, clock = { now: Date.now } } = options;
  void new URL(options.endpoint);
  return createCachedVerifier(options, {
    confirm: async (token) => confirmedBy(await introspect(token, options), options, clock.now()),
    life: cacheSeconds * 1000,
    negativeLife: negativeSeconds * 1000,
  });
}
