import { type ReadonlySignal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../server/problem.ts";
import { isCode, type Server } from "../server/server.ts";
import { createKeeping, type Keepers, type Person, type SignedIn } from "./kept-person.ts";
import type { AccountServer, OwnAccount } from "./own-account.ts";

/** How people sign in: with the forms of a server with accounts, or with a token. Until the server has answered, it is `asking` or `unreachable`. */
type Way = "asking" | "unreachable" | "accounts" | "tokens";

/** Owns the token, or the state of the cookie, and thereby who is signed in. */
export interface Session {
  readonly current: ReadonlySignal<SignedIn | null>;
  readonly way: ReadonlySignal<Way>;
  /** True if the token or session has ended without signing out. */
  readonly ended: ReadonlySignal<boolean>;
  /** Asks the server which account the browser's cookie belongs to. If the person has a token, the answer is ignored. */
  readonly check: () => Promise<void>;
  /** Signs in after checking the token. It is stored in the tab, or in this browser if `stays` is true. Returns null on success. */
  readonly signIn: (token: string, stays: boolean) => Promise<Problem | null>;
  /** Signs out in all tabs, and deletes drafts and unsent texts. Returns null on success. */
  readonly signOut: () => Promise<Problem | null>;
  /** Signs out a person whom the server no longer accepts. Drafts and unsent texts are kept until the person returns. */
  readonly end: (person: Person) => void;
}

interface SessionServer {
  readonly users: Pick<Server["users"], "tokens" | "userId" | "userInfo">;
  readonly operator: { readonly users: Pick<Server["operator"]["users"], "list"> };
}

export interface SessionOptions extends Keepers {
  readonly connect: (token: string) => SessionServer;
  readonly accounts: AccountServer;
  /** Exchanges messages with the other tabs. */
  readonly channel: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
}

const signedOut = "signed-out";

const isScopeMissing = (error: unknown): boolean => isCode(error, "insufficient_scope");

/** The scopes of a token. A valid token may still have access to none of these pages. */
async function readScopes({ users, operator }: SessionServer) {
  try {
    const tokens = await users.tokens();
    return { hasChat: true, isAdmin: tokens.some(({ current, scopes }) => current && scopes.includes("admin")) };
  } catch (error) {
    if (!isScopeMissing(error)) throw error;
    await operator.users.list({ limit: 1 }).catch((cause: unknown) => {
      throw isScopeMissing(cause) ? error : cause;
    });
    return { hasChat: false, isAdmin: true };
  }
}

async function identify(connect: SessionOptions["connect"], token: string): Promise<Person> {
  const server = connect(token);
  const scopes = await readScopes(server);
  const [{ id }, { nickname }] = await Promise.all([server.users.userId(), server.users.userInfo()]);
  return { token, userId: id, nickname, ...scopes };
}

/** Stores the signed-in person in the browser. */
function createMemory(options: SessionOptions) {
  const keeping = createKeeping(options);
  const current = signal(keeping.read());
  const forget = (): void => {
    keeping.remove();
    current.value = null;
  };
  const forgetAll = (): void => {
    current.value?.shelf.clear();
    forget();
  };
  const remember = (person: Person, stays: boolean): void => {
    current.value = keeping.write(person, stays);
  };
  return { current, remember, forget, forgetAll };
}

type Memory = ReturnType<typeof createMemory>;

const personOf = ({ id, nickname, role }: Exclude<OwnAccount, string>): Person => ({
  token: null,
  userId: id,
  nickname,
  hasChat: true,
  isAdmin: role === "admin",
});

const isSame = (one: Person, other: Person): boolean =>
  one.token === other.token &&
  one.userId === other.userId &&
  one.nickname === other.nickname &&
  one.hasChat === other.hasChat &&
  one.isAdmin === other.isAdmin;

/** The minimum time between two reconnections after the server has rejected a valid cookie, in milliseconds. */
const renewal = 30_000;

/** Checks which account the browser's cookie belongs to. */
function createCookieCheck({ accounts }: SessionOptions, { current, remember, forget }: Memory) {
  const way = signal<Way>(current.value === null ? "asking" : "tokens");
  const ended = signal(false);
  let renewedAt = 0;
  const leave = (): void => {
    if (current.value === null) return;
    ended.value = true;
    forget();
  };
  const enter = (person: Person, isRefused: boolean): void => {
    const previous = current.value?.person;
    const isRenewed = isRefused && Date.now() - renewedAt > renewal;
    if (previous !== undefined && isSame(previous, person) && !isRenewed) return;
    renewedAt = Date.now();
    ended.value = false;
    remember(person, true);
  };
  const accept = (account: OwnAccount, isRefused: boolean): void => {
    way.value = account === "noAccounts" ? "tokens" : "accounts";
    // The person may have signed in with a token during the request.
    if (typeof current.value?.person.token === "string") return;
    if (typeof account === "string") leave();
    else enter(personOf(account), isRefused);
  };
  /** @param isRefused true if the server has rejected the cookie, which another tab may have replaced since */
  const check = async (isRefused = false): Promise<void> => {
    if (current.value === null) way.value = "asking";
    const shown = accounts.show().then((account) => accept(account, isRefused));
    await shown.catch(() => {
      if (current.value === null) way.value = "unreachable";
    });
  };
  return { way, ended, check };
}

/** The session that is stored in the browser, if any. */
export function createSession(options: SessionOptions): Session {
  const { connect, channel, accounts } = options;
  const memory = createMemory(options);
  const { current, remember, forget, forgetAll } = memory;
  const { way, ended, check } = createCookieCheck(options, memory);
  const leave = (): void => {
    forgetAll();
    ended.value = false;
    void check();
  };
  channel.addEventListener("message", ({ data }) => {
    if (data === signedOut) leave();
  });
  const signIn = async (token: string, stays: boolean): Promise<null> => {
    remember(await identify(connect, token), stays);
    ended.value = false;
    return null;
  };
  const signOut = async (): Promise<null> => {
    if (current.value?.person.token === null) await accounts.signOut();
    leave();
    channel.postMessage(signedOut);
    return null;
  };
  const end = (person: Person): void => {
    if (current.value?.person !== person) return;
    if (person.token === null) return void check(true);
    forget();
    ended.value = true;
    void check();
  };
  return {
    current,
    way,
    ended,
    check,
    signIn: (token, stays) => signIn(token, stays).catch(problemOf),
    signOut: () => signOut().catch(problemOf),
    end,
  };
}
