import { LRUCache } from "lru-cache";

const one = (): number => 1;

/**
 * A map of at most `max` values that evicts the least recently used value first. With its own option `max`, the library allocates memory for
 * all entries in advance, which was a tenth of the memory of an idle server. This map grows with its entries.
 */
export const createLru = <K extends {}, V extends {}>(max: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: max, sizeCalculation: one });

/** A map of {@link createLru}. */
export type Lru<K extends {}, V extends {}> = LRUCache<K, V>;
