import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Clock } from "@telex/core";
import type { KeyStore } from "@telex/core/storage";
import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Seal } from "../oauth/seal.ts";

const name = "push.vapid";

/** Milliseconds for which a push service accepts a signature: half of what RFC 8292 allows. */
const life = 12 * 3_600_000;

/** Push services whose signatures are kept. */
const services = 100;

const generate = promisify(generateKeyPair);

/** The key by which push services recognize this installation (RFC 8292). */
export interface Vapid {
  /** The public key: 65 bytes, base64url. */
  readonly publicKey: () => Promise<string>;
  /** The header `Authorization` for an endpoint. */
  readonly authorize: (endpoint: URL) => Promise<string>;
}

interface VapidDeps {
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly seal: Seal;
  /** Where a push service reaches the operator. */
  readonly contact: () => string;
}

/** Servers that begin simultaneously each make a pair, and all use the one that is stored first. */
async function loadKey({ keys, clock, seal }: VapidDeps): Promise<KeyObject> {
  const stored = await keys.findKey(name);
  if (stored !== null) return createPrivateKey(seal.open(stored.value));
  const { privateKey } = await generate("ec", { namedCurve: "P-256" });
  const value = seal.close(privateKey.export({ type: "pkcs8", format: "pem" }));
  const { value: first } = await keys.addKey({ name, value, createdAt: clock.now() });
  return createPrivateKey(seal.open(first));
}

/** The point of a key, uncompressed. */
function pointOf(key: KeyObject): string {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const parts = [Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return Buffer.concat(parts).toString("base64url");
}

/** Keeps the key pair in the store, made when it is first needed. */
export function createVapid(deps: VapidDeps): Vapid {
  const { clock, contact } = deps;
  const signed = new LRUCache<string, { readonly until: number; readonly header: string }>({
    maxSize: services,
    sizeCalculation: () => 1,
  });
  let loading: Promise<{ readonly key: KeyObject; readonly point: string }> | null = null;
  const load = () => {
    const begun = (loading ??= loadKey(deps).then((key) => ({ key, point: pointOf(key) })));
    begun.catch(() => (loading = null));
    return begun;
  };
  return {
    publicKey: async () => (await load()).point,
    async authorize({ origin }) {
      const now = clock.now();
      const cached = signed.get(origin);
      if (cached !== undefined && cached.until > now) return cached.header;
      const { key, point } = await load();
      const token = await new SignJWT()
        .setProtectedHeader({ typ: "JWT", alg: "ES256" })
        .setAudience(origin)
        .setExpirationTime(Math.floor((now + life) / 1000))
        .setSubject(contact())
        .sign(key);
      const header = `vapid t=${token}, k=${point}`;
      signed.set(origin, { until: now + life / 2, header });
      return header;
    },
  };
}
