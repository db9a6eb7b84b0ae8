import type { Counted } from "@telex/core/transport";

/** `RateLimit` and `RateLimit-Policy` as structured fields: the rest of the allowance, and its policy. Null for a call that is not counted. */
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
