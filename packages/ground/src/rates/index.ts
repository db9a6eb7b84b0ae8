export { addressKey, callerAddress } from "./address.ts";
export { createRateLimiter, defaultRateLimits, unlimited } from "./limiter.ts";
export type { Counted, RateLimiter } from "./limiter.ts";
export { ratesLimits } from "./limits.ts";
export type { RatesLimits } from "./limits.ts";
export { createRatePeers } from "./peers.ts";
export type { RatePeers, RateUse } from "./peers.ts";
