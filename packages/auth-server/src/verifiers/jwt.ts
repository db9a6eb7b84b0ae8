import type { TokenVerifier } from "@telex/core";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import type { VerifierOptions } from "./options.ts";
import { type Confirmed, createCachedVerifier } from "./verdicts.ts";

/** Options of {@link createJwtVerifier}. */
export interface JwtOptions extends VerifierOptions {
  /** The claim `iss` must be this. */
  readonly issuer: string;
  /** The claim `aud` must be this or contain it: the name under which the provider knows this server. */
  readonly audience: string;
  /** The address of the provider's public keys. Its metadata names it `jwks_uri`. */
  readonly jwksUri: string;
  /** Accepted signature algorithms. Default: `RS256`, `PS256`, `ES256`, `EdDSA` and `Ed25519`. Algorithms with shared secrets are refused. */
  readonly algorithms?: readonly string[];
  /**
   * The `typ` in the header of access tokens. Default `at+jwt` (RFC 9068), which ID tokens do not have. Set another one only for a provider
   * that cannot write it, such as `JWT` for a Keycloak realm with its default settings.
   */
  readonly type?: string;
}

const asymmetric = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** Errors that concern the token; any other means that the keys could not be read. */
const ofTheToken: readonly (new (...input: never[]) => Error)[] = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

/** Three parts: a text without them is not a signed token, and needs no key. */
const shape = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function assertAsymmetric(algorithms: readonly string[]): string[] {
  const wrong = algorithms.find((one) => one === "none" || one.startsWith("HS"));
  if (wrong !== undefined)
    throw new RangeError(`algorithms must not contain ${wrong}: it needs a shared secret or none.`);
  return [...algorithms];
}

/** Tokens that are bound to a key (`cnf`) are refused, because nothing here checks the proof. */
function confirmedBy({ sub, exp, cnf, ...others }: JWTPayload): Confirmed | null {
  if (sub === undefined || exp === undefined || cnf !== undefined) return null;
  return { claims: { ...others, sub }, expiresAt: exp * 1000 };
}

/** Checks tokens with the keys of their provider. */
function createConfirm(options: JwtOptions) {
  const { issuer, audience, type: typ = "at+jwt", clock } = options;
  const keys = createRemoteJWKSet(new URL(options.jwksUri));
  const algorithms = assertAsymmetric(options.algorithms ?? asymmetric);
  return async (token: string): Promise<Confirmed | null> => {
    if (!shape.test(token)) return null;
    const currentDate = clock === undefined ? new Date() : new Date(clock.now());
    const checks = { issuer, audience, typ, algorithms, currentDate, requiredClaims: ["sub", "exp"] };
    try {
      return confirmedBy((await jwtVerify(token, keys, checks)).payload);
    } catch (cause) {
      if (ofTheToken.some((kind) => cause instanceof kind)) return null;
      throw cause;
    }
  };
}

/**
 * Verifies access tokens that are JWTs (RFC 9068) with the keys of their provider. The keys are loaded when they are first needed, and
 * again for a token that names an unknown one, at most once in 30 seconds. A valid token is trusted until it expires: the provider is not
 * asked whether it was revoked, so give tokens a short life.
 * @throws TypeError for a `jwksUri` that is not a URL; RangeError for an algorithm with a shared secret
 * @example
 * const tokens = createJwtVerifier({
 *   issuer: "https://login.example.org",
 *   audience: "https://telex.example.org",
 *   jwksUri: "https://login.example.org/jwks",
 *   userOf: userBySubject(storage.users),
 * });
 */
export function createJwtVerifier(options: JwtOptions): TokenVerifier {
  // Not longer: a key that the provider publishes late makes its tokens valid.
  return createCachedVerifier(options, { confirm: createConfirm(options), life: Infinity, negativeLife: 5000 });
}
