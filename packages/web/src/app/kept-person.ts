import { createShelf, type Keeper, type Shelf } from "../base/shelf.ts";

/** The signed-in person. */
export interface Person {
  /** Null for a person who is signed in by the cookie of the server, which no script can read. */
  readonly token: string | null;
  readonly userId: number;
  readonly nickname: string;
  /** True for an account, and for a token with the scope `chat`: all pages but the one for admins need it. */
  readonly hasChat: boolean;
  /** True for an admin, and for a token with the scope `admin`. */
  readonly isAdmin: boolean;
}

/** A person, and the place where their drafts are kept: with their token, and no longer than it. */
export interface SignedIn {
  readonly person: Person;
  readonly shelf: Shelf;
}

/** Where a browser keeps words. */
export interface Keepers {
  /** Kept until the tab closes. */
  readonly tab: Keeper;
  /** Kept in this browser. */
  readonly browser: Keeper;
}

const prefix = "telex.";
const chatOnly = { hasChat: true, isAdmin: false };

const isPerson = (value: unknown): value is Person =>
  typeof value === "object" && value !== null && "token" in value && "userId" in value && "nickname" in value;

/** Keeps who is signed in: for the tab, or for the browser if the person stays. */
export function createKeeping({ tab, browser }: Keepers) {
  /** Drafts of a person with the cookie are kept for the tab, because the cookie may end at any time. */
  const shelfOf = ({ token, userId }: Person, keeper: Keeper): Shelf =>
    createShelf(token === null ? tab : keeper, prefix).folder(String(userId));
  const read = (keeper: Keeper): SignedIn | null => {
    const stored: unknown = JSON.parse(createShelf(keeper, prefix).read("session") ?? "null");
    if (!isPerson(stored)) return null;
    // An earlier version kept no scopes, and knew tokens with `chat` only.
    const person = { ...chatOnly, ...stored };
    return { person, shelf: shelfOf(person, keeper) };
  };
  return {
    read: () => read(tab) ?? read(browser),
    write(person: Person, stays: boolean): SignedIn {
      const keeper = stays ? browser : tab;
      createShelf(keeper, prefix).write("session", JSON.stringify(person));
      return { person, shelf: shelfOf(person, keeper) };
    },
    remove(): void {
      for (const keeper of [tab, browser]) createShelf(keeper, prefix).remove("session");
    },
  };
}
