import type { KeyRecord, KeyStore } from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";
import type { Kept } from "../engine/tables.ts";

export function createKeyStore(verb: Verb): Kept<KeyStore, "keys"> {
  const keys = new Map<string, KeyRecord>();
  const store: KeyStore = {
    addKey: verb((key) => {
      if (!keys.has(key.name)) put(key);
      return keys.get(key.name) ?? key;
    }),
    findKey: verb((name) => keys.get(name) ?? null),
    listKeys: verb((prefix) =>
      [...keys.values()].filter(({ name }) => name.startsWith(prefix)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ),
    dropKey: verb((name) => keys.delete(name)),
  };
  const put = (key: KeyRecord): void => void keys.set(key.name, { ...key });
  return { store, tables: { keys: { all: () => keys.values(), put } } };
}
