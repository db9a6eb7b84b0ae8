import type { AccountRecord, Storage } from "@telex/core/storage";

const until = 10_000_000_000_000;

const artifact = { payload: "{}", uid: null, userCodeDigest: null, until };

const settings = { showRead: true, notify: "all", seen: [], blocked: [], prompts: "[]", recovery: null, createdAt: 1 };
const ways = { passwordHash: "$argon2id$", passkeys: [], identities: [] };

/** Adds a user with an account, and returns the id. */
export async function addAccount(
  { accounts }: Storage,
  username: string,
  role: AccountRecord["role"],
): Promise<number> {
  const person = { nickname: username, phone: null, avatar: null, ai: null, oneBot: null };
  const account = { username, usernameKey: username, role, ...settings, ...ways };
  const added = await accounts.createAccount({ user: { ...person, suspended: false, createdAt: 1 }, account });
  if (added.outcome !== "created") throw new Error(`The account is not new: ${added.outcome}.`);
  return added.account.userId;
}

/** Adds user 1 with the account `ada`, who is signed in and has granted access to an application, to an empty storage. */
export async function fillAccounts(storage: Storage): Promise<void> {
  const { accounts, grants, keys } = storage;
  await addAccount(storage, "ada", null);
  const session = { sessionId: "s", digest: "session digest", userId: 1, browser: "", address: "", stay: false };
  const times = { createdAt: 1, lastUsedAt: 1, until, absoluteUntil: until, confirmedAt: 1 };
  await accounts.createSession({ ...session, ...times }, { rev: 1, limit: 10 });
  const link = { linkId: "l", digest: "link digest", kind: "invitation", makerId: 1, slot: null, data: "{}" } as const;
  await accounts.issueLink({ ...link, uses: 1, createdAt: 1, until }, 10);
  await grants.putGrant({ grantId: "g", userId: 1, clientId: "app", payload: "{}", createdAt: 1, until }, 10);
  await grants.putArtifact({ ...artifact, model: "RefreshToken", digest: "token digest", grantId: "g" }, { limit: 10 });
  await grants.putArtifact({ ...artifact, model: "Interaction", digest: "code digest", grantId: null }, { limit: 10 });
  await keys.addKey({ name: "signing/1", value: "sealed", createdAt: 1 });
}
