import type { Storage, storageParts } from "@telex/core/storage";
import { nextTick } from "@telex/core/transport";

/** A storage that breaks a promise on purpose. */
export interface BrokenStorage {
  /** The fault, in a few words. */
  readonly fault: string;
  /** Cases that must fail on it, by their names. */
  readonly found: readonly string[];
  /** Breaks a storage that keeps its promises. */
  readonly spoil: (storage: Storage) => Storage;
}

type Part = (typeof storageParts)[number];

/** Replaces some functions of a store. */
export const override =
  <Name extends Part>(
    part: Name,
    change: (store: Storage[Name], storage: Storage) => Partial<Storage[Name]>,
  ): BrokenStorage["spoil"] =>
  (storage) => ({ ...storage, [part]: { ...storage[part], ...change(storage[part], storage) } });

/** The pause between a read and a write that are not atomic. */
export const meanwhile = (): Promise<void> => nextTick();
