import type { TokenHolder, TokenVerifier } from "@telex/core";

/**
 * Asks several verifiers, one after another, and returns the first holder. If a verifier cannot decide, the others are still asked; if none
 * of them knows the token, the call rejects with the error of the first that could not decide.
 * @param verifiers the cheapest first: a verifier of JWTs refuses any other token without a call
 */
export const firstOf = (...verifiers: readonly TokenVerifier[]): TokenVerifier => ({
  async authenticate(token): Promise<TokenHolder | null> {
    const failures: unknown[] = [];
    for (const verifier of verifiers) {
      try {
        const holder = await verifier.authenticate(token);
        if (holder !== null) return holder;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return null;
  },
});
