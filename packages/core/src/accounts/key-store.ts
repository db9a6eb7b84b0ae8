import type { KeyRecord } from "../records/accounts.ts";

/** Secrets that all servers of the installation share. Every verb is atomic; a promise resolves when its change is durable. */
export interface KeyStore {
  /** Adds a key unless its name is taken, and returns the one that is stored: N simultaneous callers MUST get the same. */
  addKey(key: KeyRecord): Promise<KeyRecord>;

  /** The key, or null. */
  findKey(name: string): Promise<KeyRecord | null>;

  /** Keys whose names begin with `prefix`, by name. There are few. */
  listKeys(prefix: string): Promise<readonly KeyRecord[]>;

  /** Deletes a key; false if it does not exist. */
  dropKey(name: string): Promise<boolean>;
}
