import { signal } from "@preact/signals";

/** A list of items with unique keys, in the order of insertion. */
export function createItems<T, K>(first: readonly T[], keyOf: (item: T) => K) {
  const items = signal(first);
  const add = (item: T): T => {
    items.value = [...items.value, item];
    return item;
  };
  const change = (key: K, news: Partial<T>): void => {
    items.value = items.value.map((item) => (keyOf(item) === key ? { ...item, ...news } : item));
  };
  const remove = (key: K): void => {
    items.value = items.value.filter((item) => keyOf(item) !== key);
  };
  return { items, add, change, remove };
}
