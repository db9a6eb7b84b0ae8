import { TelexError, type TokenVerifier } from "@telex/core";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";

/** What this server knows of its identity provider. */
export interface IdentityOptions {
  /** Its address; its keys are at `/.well-known/jwks.json`. */
  readonly issuer: string;
  /** The name under which the provider knows this server. */
  readonly audience: string;
  /** The user id of Telex for a subject of the provider. */
  readonly userOf: (subject: string, name: string) => Promise<number>;
}

/** Errors that say something of a token; any other says that the provider did not answer. */
const ofTheToken: readonly (new (...input: never[]) => Error)[] = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

/**
 * The scopes that a token of the provider can have here. `admin` is not one of them: otherwise every client that the provider gives
 * a scope of this name could administer this server.
 */
const scopesOf = (scope: unknown): readonly string[] =>
  typeof scope === "string" ? scope.split(" ").filter((one) => one === "chat" || one === "profile") : [];

/** Takes access tokens that are JWTs of one identity provider. */
export function createIdentity({ issuer, audience, userOf }: IdentityOptions): TokenVerifier {
  const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", issuer));
  const verify = async (token: string): Promise<JWTPayload | null> => {
    try {
      return (await jwtVerify(token, keys, { issuer, audience, requiredClaims: ["sub", "exp"] })).payload;
    } catch (cause) {
      if (ofTheToken.some((kind) => cause instanceof kind)) return null;
      // A provider that does not answer makes nobody's token invalid: the caller sees 503 and tries again.
      throw new TelexError("storage_unavailable", { cause });
    }
  };
  return {
    async authenticate(token) {
      const claims = await verify(token);
      if (claims?.sub === undefined || claims.exp === undefined) return null;
      const { sub, exp, name, scope } = claims;
      const userId = await userOf(sub, typeof name === "string" ? name : sub);
      return { kind: "token", userId, scopes: scopesOf(scope), tokenId: null, expiresAt: exp * 1000 };
    },
  };
}
