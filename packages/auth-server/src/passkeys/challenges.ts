import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Clock, TelexError } from "@telex/core";
import type { GrantStore, KeyStore } from "@telex/core/storage";
import { digestOf } from "../credentials/secrets.ts";
import type { Seal } from "../oauth/seal.ts";
import { lives } from "../sessions/lives.ts";

/** The use that a challenge was made for, such as `signIn` or `add <session>`. It works for no other one. */
type ChallengePurpose = string;

interface ChallengesDeps {
  readonly keys: Pick<KeyStore, "addKey">;
  readonly grants: Pick<GrantStore, "putArtifact" | "consumeArtifact">;
  readonly clock: Clock;
  readonly seal: Seal;
}

/** Challenges of passkeys. Making one stores nothing, so that strangers can make any number. */
export interface Challenges {
  /** A new challenge, in base64url. */
  readonly make: (purpose: ChallengePurpose) => Promise<string>;
  /** Checks that a server of the installation made a challenge for a purpose, within 10 minutes. Throws `passkey_expired`. */
  readonly assertOpen: (purpose: ChallengePurpose, challenge: string) => Promise<void>;
  /** Consumes a challenge. Of N callers on all servers, one succeeds; the others get `passkey_expired`. */
  readonly consume: (challenge: string) => Promise<void>;
}

const model = "PasskeyChallenge";
const nonceSize = 16;
const timeSize = 6;
const macSize = 32;

/** Milliseconds for which a used challenge is remembered after its end: the clocks of servers differ. */
const margin = 60_000;

const expired = (): TelexError => new TelexError("invalid_request", { reason: "passkey_expired" });

const macOf = (key: string, purpose: ChallengePurpose, head: Buffer): Buffer =>
  createHmac("sha256", key).update(head).update(purpose).digest();

/** Makes challenges with a key that all servers of the installation share. */
export function createChallenges({ keys, grants, clock, seal }: ChallengesDeps): Challenges {
  let loaded: string | null = null;
  const keyOf = async (): Promise<string> => {
    if (loaded !== null) return loaded;
    const value = seal.close(randomBytes(32).toString("hex"));
    const stored = await keys.addKey({ name: "passkeys.challenge", value, createdAt: clock.now() });
    return (loaded = seal.open(stored.value));
  };
  return {
    async make(purpose) {
      const head = Buffer.alloc(nonceSize + timeSize);
      randomBytes(nonceSize).copy(head);
      head.writeUIntBE(clock.now() + lives.challenge, nonceSize, timeSize);
      return Buffer.concat([head, macOf(await keyOf(), purpose, head)]).toString("base64url");
    },
    async assertOpen(purpose, challenge) {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== nonceSize + timeSize + macSize) throw expired();
      const head = bytes.subarray(0, nonceSize + timeSize);
      const isOurs = timingSafeEqual(bytes.subarray(-macSize), macOf(await keyOf(), purpose, head));
      if (!isOurs || head.readUIntBE(nonceSize, timeSize) <= clock.now()) throw expired();
    },
    async consume(challenge) {
      const digest = digestOf(Buffer.from(challenge, "base64url").toString("base64url"));
      const until = clock.now() + lives.challenge + margin;
      const use = { model, digest, payload: "{}", grantId: null, uid: null, userCodeDigest: null, until };
      // Storing it twice keeps its first use.
      await grants.putArtifact(use, { limit: 1 });
      const { outcome } = await grants.consumeArtifact({ model, digest, now: clock.now() });
      if (outcome !== "consumed") throw expired();
    },
  };
}
