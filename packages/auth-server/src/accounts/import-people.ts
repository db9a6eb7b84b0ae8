import { TelexError } from "@telex/core";
import type { Account } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";
import { keyOfUsername, newAccount } from "./new-account.ts";
import type { MadeLink } from "../links/links.ts";

/** A person to import. */
interface ImportedPerson {
  readonly username: string;
  readonly nickname?: string | undefined;
}

/**
 * The outcome for a person: `new` gets an account; `waiting` has one, but has never signed in, and gets another link; `known` has one and
 * stays as they are; the others cannot be imported.
 */
type ImportOutcome = "new" | "waiting" | "known" | "username" | "twice" | "gone";

/** The result for one person. */
export interface ImportResult {
  readonly outcome: ImportOutcome;
  readonly userId: number | null;
  /** With which the person chooses a password or passkey; null if none was made. */
  readonly link: MadeLink | null;
}

interface ImportDeps extends Pick<AuthDeps, "telex" | "storage"> {
  /** Makes the link with which the person signs in first. Throws `quota_exceeded`. */
  readonly makeLink: (userId: number) => Promise<MadeLink>;
}

/** People that cannot be imported. */
const isRefused = (outcome: ImportOutcome): boolean => ["username", "twice", "gone"].includes(outcome);

const keyOf = (username: string): string | null => {
  try {
    return keyOfUsername(username);
  } catch (cause) {
    if (TelexError.is(cause)) return null;
    throw cause;
  }
};

const hasNoWay = ({ passwordHash, passkeys, identities, role }: Account): boolean =>
  passwordHash === null && passkeys.length + identities.length === 0 && role === null;

const creationOf = (person: ImportedPerson, now: number) =>
  newAccount(person, now, { passwordHash: null, passkeys: [], role: null });

type Looked = { readonly outcome: ImportOutcome; readonly userId: number | null };

async function look({ telex, storage }: ImportDeps, person: ImportedPerson): Promise<Looked> {
  const usernameKey = keyOf(person.username);
  if (usernameKey === null) return { outcome: "username", userId: null };
  const account = await storage.accounts.findAccount({ usernameKey });
  if (account !== null) return { outcome: hasNoWay(account) ? "waiting" : "known", userId: account.userId };
  const trial = { ...creationOf(person, telex.clock.now()), isTrial: true };
  const { outcome } = await storage.accounts.createAccount(trial);
  return { outcome: outcome === "free" ? "new" : "gone", userId: null };
}

/** The second of two people with the same username is refused. */
async function lookAtAll(deps: ImportDeps, people: readonly ImportedPerson[]): Promise<readonly Looked[]> {
  const seen = new Set<string>();
  const looked: Looked[] = [];
  for (const person of people) {
    const key = keyOf(person.username);
    const isTwice = key !== null && seen.has(key);
    if (key !== null) seen.add(key);
    looked.push(isTwice ? { outcome: "twice", userId: null } : await look(deps, person));
  }
  return looked;
}

/** Opens the account. Of two simultaneous imports, the second one finds it. */
async function open(deps: ImportDeps, person: ImportedPerson): Promise<Looked> {
  const created = await deps.storage.accounts.createAccount(creationOf(person, deps.telex.clock.now()));
  if (created.outcome === "created") return { outcome: "new", userId: created.account.userId };
  return await look(deps, person);
}

async function link(deps: ImportDeps, userId: number): Promise<MadeLink | null> {
  try {
    return await deps.makeLink(userId);
  } catch (cause) {
    // The account exists: the next import of the same people makes its link.
    if (TelexError.is(cause) && cause.code === "quota_exceeded") return null;
    throw cause;
  }
}

async function bring(deps: ImportDeps, person: ImportedPerson, looked: Looked): Promise<ImportResult> {
  const { outcome, userId } = looked.outcome === "new" ? await open(deps, person) : looked;
  const wantsLink = userId !== null && (outcome === "new" || outcome === "waiting");
  return { outcome, userId, link: wantsLink ? await link(deps, userId) : null };
}

/**
 * Opens accounts for many people, who can first sign in only with a link. A second import of the same people opens no account twice, and
 * makes new links for those who have not signed in.
 * @param isTrial true to report the outcomes, and change nothing
 */
export async function importPeople(
  deps: ImportDeps,
  people: readonly ImportedPerson[],
  isTrial: boolean,
): Promise<readonly ImportResult[]> {
  const looked = await lookAtAll(deps, people);
  const results: ImportResult[] = [];
  for (const [index, person] of people.entries()) {
    const lookup = looked[index] ?? { outcome: "username", userId: null };
    results.push(isTrial || isRefused(lookup.outcome) ? { ...lookup, link: null } : await bring(deps, person, lookup));
  }
  return results;
}
