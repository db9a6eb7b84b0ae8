import type { Counted } from "@telex/core/transport";

/** `RateLimit` and `RateLimit-Policy` as structured fields: what is left, and the policy that says so. Null if nothing is counted. */
export function rateHeaders({ state }: Counted): Readonly<Record<string, string>> | null {
  if (state === null) return null;
  const { policy, rate, left } = state;
  const { burst, perMinute } = rate;
  const window = Math.ceil((burst * 60) / perMinute);
  const full = Math.ceil(((burst - left) * 60) / perMinute);
  return {
    "ratelimit-policy": `"${policy}";q=${burst};w=${window}`,
    ratelimit: `"${policy}";r=${Math.floor(left)};t=${full}`,
  };
}
