/** One folder of a browser's storage. Never throws. If storage is not available, values last as long as the page. */
export interface Shelf {
  readonly read: (name: string) => string | null;
  readonly write: (name: string, value: string) => void;
  readonly remove: (name: string) => void;
  /** The names in this folder, in any order. */
  readonly names: () => readonly string[];
  /** A folder within this one. */
  readonly folder: (name: string) => Shelf;
  /** Removes all values in this folder and its subfolders. */
  readonly clear: () => void;
}

/** The part of the `Storage` interface that is used. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    // If storage is blocked or full, values last as long as the page.
    return otherwise;
  }
}

/** The part of a storage whose keys begin with `prefix`. */
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
