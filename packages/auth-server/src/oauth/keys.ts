import { createPrivateKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { Clock } from "@telex/core";
import type { KeyStore } from "@telex/core/storage";
import type { JWKS } from "oidc-provider";
import type { Seal } from "./seal.ts";

const day = 86_400_000;

/** Milliseconds for which a key signs. */
const period = 90 * day;

/** Milliseconds before its first use at which a key is published, so that every client has it in time. */
const lead = 7 * day;

const prefix = "oauth.signing.";

const nameOf = (number: number): string => prefix + String(number).padStart(6, "0");
const numberOf = (name: string): number => Number(name.slice(prefix.length));

const generate = promisify(generateKeyPair);

/** A new key, as it is stored: PKCS 8 in PEM. */
async function createKey(): Promise<string> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

type SigningKey = JWKS["keys"][number];

/** The keys that sign ID tokens, the one that signs now first. All servers of the installation have the same. */
export interface SigningKeys {
  /** The current keys, and a name that changes when they change. */
  readonly load: () => Promise<{ readonly version: string; readonly jwks: JWKS }>;
}

/** Keeps signing keys in the store. A key signs for 90 days, is published a week earlier, and stays published for another 90 days. */
export function createSigningKeys(store: KeyStore, clock: Clock, seal: Seal): SigningKeys {
  const ensure = async (number: number): Promise<void> => {
    const name = nameOf(number);
    if ((await store.findKey(name)) !== null) return;
    // Of several servers that begin simultaneously, one adds its key, and all take that one.
    await store.addKey({ name, value: seal.close(await createKey()), createdAt: clock.now() });
  };
  const read = async (name: string): Promise<SigningKey | null> => {
    const stored = await store.findKey(name);
    if (stored === null) return null;
    const { kty, ...key } = createPrivateKey(seal.open(stored.value)).export({ format: "jwk" });
    return kty === "RSA" ? { ...key, kty, kid: name.slice(prefix.length), use: "sig", alg: "RS256" } : null;
  };
  return {
    async load() {
      const current = Math.floor(clock.now() / period);
      const next = Math.floor((clock.now() + lead) / period);
      for (const number of new Set([current, next])) await ensure(number);
      const published = [current, ...(next === current ? [] : [next]), current - 1];
      for (const { name } of await store.listKeys(prefix)) {
        if (numberOf(name) < current - 1) await store.dropKey(name);
      }
      const keys = await Promise.all(published.map(async (number) => await read(nameOf(number))));
      const existing = keys.filter((key) => key !== null);
      return { version: existing.map(({ kid }) => kid).join(" "), jwks: { keys: existing } };
    },
  };
}
