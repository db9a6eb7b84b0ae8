/** Where a browser keeps words: one folder of its storage. Never throws: a browser may keep nothing at all. */
export interface Shelf {
  readonly read: (name: string) => string | null;
  readonly write: (name: string, value: string) => void;
  readonly remove: (name: string) => void;
  /** The names on this shelf, in no order. */
  readonly names: () => readonly string[];
  /** The shelf within this one. */
  readonly folder: (name: string) => Shelf;
  /** Removes all that is on this shelf and in its folders. */
  readonly clear: () => void;
}

/** The storage of a browser, as far as it is used. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    // Blocked or full: the values then live as long as the page.
    return otherwise;
  }
}

/** The part of a storage whose names begin with `prefix`. */
export function createShelf(storage: Keeper, prefix: string): Shelf {
  const keys = (): string[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) =>
      key.startsWith(prefix),
    );
  return {
    read: (name) => attempt(() => storage.getItem(prefix + name), null),
    write: (name, value) => attempt(() => storage.setItem(prefix + name, value), undefined),
    remove: (name) => attempt(() => storage.removeItem(prefix + name), undefined),
    names: () => attempt(() => keys().map((key) => key.slice(prefix.length)), []),
    folder: (name) => createShelf(storage, `${prefix}${name}.`),
    clear: () => attempt(() => keys().forEach((key) => storage.removeItem(key)), undefined),
  };
}
