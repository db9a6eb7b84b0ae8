import type { Keeper } from "../src/base/shelf.ts";

/** An in-memory `Storage`. */
export function createMemoryKeeper(): Keeper {
  const words = new Map<string, string>();
  return {
    get length() {
      return words.size;
    },
    key: (index) => [...words.keys()][index] ?? null,
    getItem: (name) => words.get(name) ?? null,
    setItem: (name, value) => void words.set(name, value),
    removeItem: (name) => void words.delete(name),
  };
}
