import { createShelf, type Keeper, type Shelf } from "../base/shelf.ts";

/** The signed-in person. */
export interface Person {
  /** Null for a person who is signed in by cookie, which scripts cannot read. */
  readonly token: string | null;
  readonly userId: number;
  readonly nickname: string;
  /** True for an account, and for a token with the scope `chat`. All pages except the one for admins need it. */
  readonly hasChat: boolean;
  /** True for an admin, and for a token with the scope `admin`. */
  readonly isAdmin: boolean;
}

/** A person, and the storage of their drafts. Drafts are stored as long as the token. */
export interface SignedIn {
  readonly person: Person;
  readonly shelf: Shelf;
}

/** The storages of a browser. */
export interface Keepers {
  /** Cleared when the tab closes. */
  readonly tab: Keeper;
  readonly browser: Keeper;
}

const prefix = "telex.";
const chatOnly = { hasChat: true, isAdmin: false };

const isPerson = (value: unknown): value is Person =>
  typeof value === "object" && value !== null && "token" in value && "userId" in value && "nickname" in value;

/** Stores who is signed in: in the tab, or in the browser if the person stays signed in. */
export function createKeeping({ tab, browser }: Keepers) {
  /** The drafts of a person who is signed in by cookie are stored in the tab, because the cookie may expire at any time. */
  const shelfOf = ({ token, userId }: Person, keeper: Keeper): Shelf =>
    createShelf(token === null ? tab : keeper, prefix).folder(String(userId));
  const read = (keeper: Keeper): SignedIn | null => {
    const stored: unknown = JSON.parse(createShelf(keeper, prefix).read("session") ?? "null");
    if (!isPerson(stored)) return null;
    // An earlier version stored no scopes, and supported only tokens with `chat`.
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
