import type { KeyStore } from "@telex/core/storage";
import { collectionOf, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { recordOf } from "../driver/documents.ts";
import type { StoreDeps } from "../stores/deps.ts";

/** Secrets that all servers share. */
export function createKeyStore({ db, batches: { write, single } }: StoreDeps): KeyStore {
  const keys = collectionOf(db, "keys");
  return {
    addKey: ({ ...key }) =>
      write("keys", async (tx) => {
        const stored = await tx.find("keys", key.name);
        if (stored !== null) return recordOf("keys", stored);
        tx.add("keys", plain("keys", key));
        return key;
      }),
    findKey: (name) => single(async () => recordOrNull("keys", await keys.findOne({ _id: name }))),
    // No character comes after this one.
    listKeys: (prefix) =>
      single(async () => {
        const filter = { _id: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` } };
        return recordsOf("keys", await keys.find(filter, { sort: { _id: 1 } }).toArray());
      }),
    dropKey: (name) =>
      write("keys", async (tx) => {
        if ((await tx.find("keys", name)) === null) return false;
        tx.drop("keys", name);
        return true;
      }),
  };
}
