/** The methods of an unstorage `Storage` that are used: `createStorage({driver})`, or `prefixStorage(storage, "blobs")`. */
export interface UnstorageLike {
  /** Stores bytes under a key. */
  setItemRaw(key: string, value: Uint8Array): Promise<void>;
  /** True if the key exists. Called only if reading fails, because some drivers throw for a missing key. */
  hasItem(key: string): Promise<boolean>;
  /** The bytes under a key, or null. */
  getItemRaw(key: string): Promise<unknown>;
  /** Removes a key. */
  removeItem(key: string): Promise<void>;
  /** The keys that begin with this base, or all keys. */
  getKeys(base?: string): Promise<string[]>;
}
