import { TelexClientError } from "@telex/http/client";
import { type ReadonlySignal, signal } from "@preact/signals";
import { createShelf, type Keeper, type Shelf } from "../base/shelf.ts";
import { type Problem, problemOf } from "../server/problem.ts";
import type { Server } from "../server/server.ts";

/** The signed-in person. */
interface Person {
  readonly token: string;
  readonly userId: number;
  readonly nickname: string;
  /** True for a token with the scope `chat`: all pages but the one for admins need it. */
  readonly hasChat: boolean;
  /** True for a token with the scope `admin`. */
  readonly isAdmin: boolean;
}

/** A person, and where what they write is kept: with their token, and no longer than that. */
export interface SignedIn {
  readonly person: Person;
  readonly shelf: Shelf;
}

/** Owns the token, and with it who is signed in. */
export interface Session {
  readonly current: ReadonlySignal<SignedIn | null>;
  /** True when the token ended and nobody signed out. */
  readonly ended: ReadonlySignal<boolean>;
  /**
   * Signs in. The token is checked first, and kept for the tab, or for this browser where the person `stays`.
   * Null when it worked.
   */
  readonly signIn: (token: string, stays: boolean) => Promise<Problem | null>;
  /** Forgets the token and all that the person wrote and did not send; in every tab. */
  readonly signOut: () => void;
  /** Forgets a token that is not valid any more. What was written stays, for when the person is back. */
  readonly end: (token: string) => void;
}

interface SessionServer {
  readonly users: Pick<Server["users"], "tokens" | "userId" | "userInfo">;
  readonly operator: { readonly users: Pick<Server["operator"]["users"], "list"> };
}

export interface SessionOptions {
  /** Kept until the tab closes. */
  readonly tab: Keeper;
  /** Kept in this browser. */
  readonly browser: Keeper;
  readonly connect: (token: string) => SessionServer;
  /** Tells the other tabs, and hears from them. */
  readonly channel: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
}

const prefix = "telex.";
const signedOut = "signed-out";
const chatOnly = { hasChat: true, isAdmin: false };

const isPerson = (value: unknown): value is Person =>
  typeof value === "object" && value !== null && "token" in value && "userId" in value && "nickname" in value;

function readPerson(keeper: Keeper): SignedIn | null {
  const shelf = createShelf(keeper, prefix);
  const kept: unknown = JSON.parse(shelf.read("session") ?? "null");
  if (!isPerson(kept)) return null;
  // An earlier version kept no scopes, and knew tokens with `chat` only.
  return { person: { ...chatOnly, ...kept }, shelf: shelf.folder(String(kept.userId)) };
}

/** Keeps who is signed in: for the tab, or for the browser if the person `stays`. */
function createKeeping({ tab, browser }: Pick<SessionOptions, "tab" | "browser">) {
  return {
    read: () => readPerson(tab) ?? readPerson(browser),
    write(person: Person, stays: boolean): SignedIn {
      const shelf = createShelf(stays ? browser : tab, prefix);
      shelf.write("session", JSON.stringify(person));
      return { person, shelf: shelf.folder(String(person.userId)) };
    },
    remove(): void {
      for (const keeper of [tab, browser]) createShelf(keeper, prefix).remove("session");
    },
  };
}

const isScopeMissing = (error: unknown): boolean =>
  error instanceof TelexClientError && error.code === "insufficient_scope";

/** The scopes of a token: a valid one may still open none of these pages. */
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

/** Remembers the signed-in person in the browser. */
function createMemory(options: SessionOptions) {
  const kept = createKeeping(options);
  const current = signal(kept.read());
  const forget = (): void => {
    kept.remove();
    current.value = null;
  };
  const forgetAll = (): void => {
    current.value?.shelf.clear();
    forget();
  };
  const remember = (person: Person, stays: boolean): void => {
    current.value = kept.write(person, stays);
  };
  return { current, remember, forget, forgetAll };
}

/** The session that the browser remembers, if any. */
export function createSession(options: SessionOptions): Session {
  const { connect, channel } = options;
  const { current, remember, forget, forgetAll } = createMemory(options);
  const ended = signal(false);
  channel.addEventListener("message", ({ data }) => {
    if (data === signedOut) forgetAll();
  });
  const signIn = async (token: string, stays: boolean): Promise<null> => {
    remember(await identify(connect, token), stays);
    ended.value = false;
    return null;
  };
  const signOut = (): void => {
    forgetAll();
    ended.value = false;
    channel.postMessage(signedOut);
  };
  const end = (token: string): void => {
    if (current.value?.person.token !== token) return;
    forget();
    ended.value = true;
  };
  return { current, ended, signIn: (token, stays) => signIn(token, stays).catch(problemOf), signOut, end };
}
