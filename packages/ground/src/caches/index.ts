export { createCache } from "./cache.ts";
export type { Cache } from "./cache.ts";
export { createLru } from "./lru.ts";
export type { Lru } from "./lru.ts";
