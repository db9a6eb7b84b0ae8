import type { Claim } from "@telex/core/storage";

/**
 * Claims a name among those that are claimed, which are kept with their ends. False if it is taken. Each call looks at two claims, so
 * those that have ended go faster than new ones come, however long others last.
 */
export function claimIn(claims: Map<string, number>, { name, now, until }: Claim): boolean {
  for (const [other, end] of claims.entries().take(2)) {
    claims.delete(other);
    if (end > now) claims.set(other, end);
  }
  if ((claims.get(name) ?? now) > now) return false;
  claims.set(name, until);
  return true;
}
