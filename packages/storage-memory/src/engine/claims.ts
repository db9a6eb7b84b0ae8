import type { Claim } from "@telex/core/storage";

/**
 * Claims a name. `claims` contains the end of each claim by its name. False if the name is taken. Each call checks two claims, so expired
 * ones are removed faster than new ones are added, no matter how long others last.
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
