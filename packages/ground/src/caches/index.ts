export { createCache } from "./cache.ts";
export type { Cache } from "./cache.ts";
export { createLateLru } from "./late-lru.ts";
