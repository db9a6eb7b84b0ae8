import type {
  AccountCreation,
  ArtifactPut,
  ClientRecord,
  GrantRecord,
  LinkRecord,
  LinkUse,
  SessionRecord,
} from "@telex/core/storage";
import { now, person } from "../support/fixtures.ts";

const plainAccount = {
  passwordHash: null,
  role: null,
  showRead: true,
  notify: "all",
  seen: [],
  blocked: [],
  prompts: "[]",
  recovery: null,
  createdAt: now,
  passkeys: [],
  identities: [],
} as const;

/** A new user with an account, with the given differences. */
export const accountOf = (
  username: string,
  different: Partial<AccountCreation["account"]> = {},
  how: Partial<Omit<AccountCreation, "account">> = {},
): AccountCreation => {
  const { ext: _ext, ...user } = person({ nickname: username });
  return {
    user,
    account: { ...plainAccount, username, usernameKey: username, ...different },
    ...how,
  };
};

/** A session that lasts a minute. Its digest is its id. */
export const sessionOf = (
  userId: number,
  sessionId: string,
  different: Partial<SessionRecord> = {},
): SessionRecord => ({
  sessionId,
  digest: sessionId,
  userId,
  browser: "Browser",
  address: "192.0.2.1",
  stay: false,
  createdAt: now,
  lastUsedAt: now,
  until: now + 60_000,
  absoluteUntil: now + 90_000,
  confirmedAt: now,
  ...different,
});

/** An invitation by user 7 with one use. Its digest is its id. */
export const linkOf = (
  linkId: string,
  different: Partial<LinkRecord> = {},
): Omit<LinkRecord, "used" | "misses" | "revokedAt"> => ({
  linkId,
  digest: linkId,
  kind: "invitation",
  makerId: 7,
  slot: null,
  data: "{}",
  uses: 1,
  createdAt: now,
  until: now + 1000,
  ...different,
});

/** A use of an invitation. */
export const useOf = (digest: string, different: Partial<LinkUse> = {}): LinkUse => ({
  digest,
  kind: "invitation",
  now,
  ...different,
});

export const clientOf = (clientId: string): ClientRecord => ({
  clientId,
  name: "App",
  secretDigest: null,
  redirectUris: ["https://app.example/cb"],
  grantTypes: ["authorization_code"],
  scopes: ["openid"],
  metadata: "{}",
  createdAt: now,
});

/** A grant of user 7. */
export const grantOf = (grantId: string, different: Partial<GrantRecord> = {}): GrantRecord => ({
  grantId,
  userId: 7,
  clientId: "app",
  payload: "{}",
  createdAt: now,
  until: now + 1000,
  ...different,
});

/** A refresh token of the grant `g`. */
export const artifactOf = (digest: string, different: Partial<ArtifactPut> = {}): ArtifactPut => ({
  model: "RefreshToken",
  digest,
  payload: "{}",
  grantId: "g",
  uid: null,
  userCodeDigest: null,
  until: now + 1000,
  ...different,
});
