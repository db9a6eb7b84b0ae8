import { LRUCache } from "lru-cache";

const one = (): number => 1;

/**
 * A map of at most `max` values, the least recently used out first. With its own option `max`, the library reserves memory for all entries when it
 * is made, which was a tenth of the memory of an idle server. This one grows with its entries.
 */
export const createLru = <K extends {}, V extends {}>(max: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: max, sizeCalculation: one });

/** A map that {@link createLru} makes. */
export type Lru<K extends {}, V extends {}> = LRUCache<K, V>;
