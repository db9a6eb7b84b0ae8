import type { GrantStore } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `grants: ${sentence}`;

const spoilGrants = (change: (store: GrantStore) => Partial<GrantStore>): BrokenStorage["spoil"] =>
  override("grants", change);

/** Wrong stores of grants, of what is issued for them, and of keys. */
export const brokenGrants: readonly BrokenStorage[] = [
  {
    fault: "a code is looked up first and used later",
    found: [name("of 10 simultaneous uses of a code or refresh token, one is the first")],
    spoil: spoilGrants((store) => ({
      async consumeArtifact(key) {
        const artifact = await store.findArtifact(key, key.now);
        if (artifact === null) return { outcome: "missing" };
        if (artifact.consumedAt !== null) return { outcome: "used", artifact };
        await meanwhile();
        await store.consumeArtifact(key);
        return { outcome: "consumed", artifact };
      },
    })),
  },
  {
    fault: "a grant is looked for first, and a token stored later",
    found: [name("a token that is issued while its grant ends does not outlive it")],
    spoil: spoilGrants((store) => ({
      async putArtifact({ grantId, ...artifact }, conditions) {
        if (grantId !== null && (await store.findGrant(grantId, 0)) === null) return "grant_ended";
        await meanwhile();
        return await store.putArtifact({ ...artifact, grantId: null }, conditions);
      },
    })),
  },
  {
    fault: "a used refresh token has any number of successors",
    found: [name("of 10 simultaneous successors of a refresh token, one stays; a used one is final")],
    spoil: spoilGrants((store) => ({
      putArtifact: (artifact, { limit }) => store.putArtifact(artifact, { limit }),
    })),
  },
  {
    fault: "every session claims a user code",
    found: [name("of 10 sessions that look up a user code, one claims it")],
    spoil: spoilGrants((store) => ({
      async claimUserCode({ userCodeDigest, by, now }) {
        const artifact = await store.findUserCode(userCodeDigest, now);
        return artifact === null ? null : { ...artifact, claimedBy: by };
      },
    })),
  },
  {
    fault: "a grant has any number of artifacts",
    found: [name("of the artifacts of a grant, those that end first are deleted beyond the limit")],
    spoil: spoilGrants((store) => ({
      putArtifact: (artifact, conditions) => store.putArtifact(artifact, { ...conditions, limit: 1000 }),
    })),
  },
  {
    fault: "everybody ends a grant",
    found: [name("grants end by user, application and time, and each end is reported")],
    spoil: spoilGrants((store) => ({ endGrant: ({ grantId }) => store.endGrant({ grantId }) })),
  },
  {
    fault: "a key is looked for first and added later",
    found: [name("of 10 servers that add a key, all get the same one")],
    spoil: override("keys", (store) => ({
      async addKey(key) {
        const existing = await store.findKey(key.name);
        if (existing !== null) return existing;
        await meanwhile();
        await store.dropKey(key.name);
        return await store.addKey(key);
      },
    })),
  },
];
