import type { Account, AccountConflict, AccountKey } from "@telex/core/storage";
import type { Db } from "mongodb";
import { collectionOf, plain } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

type Passkeys = readonly Documents["passkeys"][];
type Identities = readonly Documents["identities"][];

const userOf = ({ userId }: { readonly userId: number }): number => userId;

/** Builds an account from its documents. */
const accountOf = (document: Documents["accounts"], passkeys: Passkeys, identities: Identities): Account => ({
  ...recordOf("accounts", document),
  passkeys: passkeys.map((one) => {
    const { userId: _userId, ...passkey } = recordOf("passkeys", one);
    return passkey;
  }),
  identities: identities.map((one) => {
    const { userId: _userId, ...identity } = recordOf("identities", one);
    return identity;
  }),
});

/** An account and its document, in a transaction. */
export interface Stored {
  readonly account: Account;
  readonly document: Documents["accounts"];
}

/** The account of a user, or null. */
export async function findAccount(tx: Tx, userId: number): Promise<Stored | null> {
  const document = await tx.find("accounts", userId);
  if (document === null || document.removedAt !== null) return null;
  const [passkeys, identities] = [await tx.list("passkeys", { userId }), await tx.list("identities", { userId })];
  return { account: accountOf(document, passkeys, identities), document };
}

/** The conflict with another account, or null. */
export async function conflictOf(
  tx: Tx,
  { userId, usernameKey, passkeys, identities }: Account,
): Promise<AccountConflict | null> {
  const isOther = (holder: { readonly userId: number } | null | undefined): boolean =>
    (holder ?? { userId }).userId !== userId;
  if (isOther((await tx.list("accounts", { usernameKey }, { limit: 1 }))[0])) return "username_taken";
  for (const { credentialId } of passkeys) if (isOther(await tx.find("passkeys", credentialId))) return "passkey_taken";
  for (const { issuer, subject } of identities)
    if (isOther(await tx.find("identities", idFor([issuer, subject])))) return "identity_taken";
  return null;
}

/** Stores an account, and replaces the previous one. */
export async function putAccount(tx: Tx, account: Account, before: Stored | null): Promise<void> {
  const { userId, passkeys, identities } = account;
  const turn = before?.document.turn ?? 0;
  tx.put("accounts", { ...plain("accounts", recordOf("accounts", account)), turn });
  const ids = new Set(passkeys.map(({ credentialId }) => credentialId));
  for (const { credentialId } of before?.account.passkeys ?? [])
    if (!ids.has(credentialId)) tx.drop("passkeys", credentialId);
  for (const one of passkeys) tx.put("passkeys", plain("passkeys", { ...one, userId }));
  const names = new Set(identities.map(({ issuer, subject }) => JSON.stringify([issuer, subject])));
  for (const { issuer, subject } of before?.account.identities ?? [])
    if (!names.has(JSON.stringify([issuer, subject]))) tx.drop("identities", idFor([issuer, subject]));
  for (const one of identities) tx.put("identities", plain("identities", { ...one, userId }));
}

async function ownerOf(db: Db, key: Exclude<AccountKey, { readonly usernameKey: string }>): Promise<number | null> {
  if ("userId" in key) return key.userId;
  const [name, _id] =
    "credentialId" in key
      ? (["passkeys", key.credentialId] as const)
      : (["identities", idFor([key.issuer, key.subject])] as const);
  return (await collectionOf(db, name).findOne({ _id }))?.userId ?? null;
}

/**
 * Reads an account outside of a transaction. Its parts may be newer than its `rev`, which is read first: a change that is based on
 * them is refused.
 */
export async function readAccount(db: Db, key: AccountKey): Promise<Account | null> {
  const accounts = collectionOf(db, "accounts");
  const userId = "usernameKey" in key ? null : await ownerOf(db, key);
  const document = await accounts.findOne(
    "usernameKey" in key ? { usernameKey: key.usernameKey } : { _id: userId ?? 0 },
  );
  const [account = null] = await complete(db, document === null || document.removedAt !== null ? [] : [document]);
  return account;
}

/** Accounts with their ways to sign in: two reads for all of them. */
export async function complete(db: Db, documents: readonly Documents["accounts"][]): Promise<readonly Account[]> {
  if (documents.length === 0) return [];
  const filter = { userId: { $in: documents.map(({ userId }) => userId) } };
  const [passkeys, identities] = await Promise.all([
    collectionOf(db, "passkeys").find(filter).toArray(),
    collectionOf(db, "identities").find(filter).toArray(),
  ]);
  const [ofUser, alsoOfUser] = [Map.groupBy(passkeys, userOf), Map.groupBy(identities, userOf)];
  return documents.map((document) =>
    accountOf(document, ofUser.get(document.userId) ?? [], alsoOfUser.get(document.userId) ?? []),
  );
}
