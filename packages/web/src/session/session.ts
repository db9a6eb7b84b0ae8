import { type ReadonlySignal, signal } from "@preact/signals";
import { createShelf, type Keeper, type Shelf } from "../shelf.ts";
import { type Problem, problemOf } from "./problem.ts";
import type { Server } from "./server.ts";

/** Who is signed in. */
interface Person {
  readonly token: string;
  readonly userId: number;
  readonly nickname: string;
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

/** What a session needs. */
export interface SessionOptions {
  /** Kept until the tab closes. */
  readonly tab: Keeper;
  /** Kept in this browser. */
  readonly browser: Keeper;
  readonly connect: (token: string) => Pick<Server, "teleprinter" | "users">;
  /** Tells the other tabs, and hears from them. */
  readonly channel: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
}

const prefix = "telex.";
const signedOut = "signed-out";

const isPerson = (value: unknown): value is Person =>
  typeof value === "object" && value !== null && "token" in value && "userId" in value && "nickname" in value;

function readPerson(keeper: Keeper): SignedIn | null {
  const shelf = createShelf(keeper, prefix);
  const kept: unknown = JSON.parse(shelf.read("session") ?? "null");
  return isPerson(kept) ? { person: kept, shelf: shelf.folder(String(kept.userId)) } : null;
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

async function identify(connect: SessionOptions["connect"], token: string): Promise<Person> {
  const server = connect(token);
  // A token may be valid and yet not enough for these pages: asking for the devices tells.
  await server.teleprinter.devices();
  const [{ id }, { nickname }] = await Promise.all([server.users.userId(), server.users.userInfo()]);
  return { token, userId: id, nickname };
}

/** The session that the browser remembers, if any. */
export function createSession({ tab, browser, connect, channel }: SessionOptions): Session {
  const kept = createKeeping({ tab, browser });
  const current = signal(kept.read());
  const ended = signal(false);
  const forget = (): void => {
    kept.remove();
    current.value = null;
  };
  const forgetAll = (): void => {
    current.value?.shelf.clear();
    forget();
  };
  channel.addEventListener("message", ({ data }) => {
    if (data === signedOut) forgetAll();
  });
  return {
    current,
    ended,
    async signIn(token, stays) {
      try {
        const signedIn = kept.write(await identify(connect, token), stays);
        ended.value = false;
        current.value = signedIn;
        return null;
      } catch (error) {
        return problemOf(error);
      }
    },
    signOut() {
      forgetAll();
      ended.value = false;
      channel.postMessage(signedOut);
    },
    end(token) {
      if (current.value?.person.token !== token) return;
      forget();
      ended.value = true;
    },
  };
}
