import type { UserRecord, UserStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "../engine/counters.ts";
import type { Verb } from "../engine/gate.ts";
import { createNumbered, type Numbered } from "../engine/numbered.ts";
import type { Kept } from "../engine/tables.ts";

/** All people, by their ids and by their ids in the external network. */
export interface People extends Pick<Numbered<UserRecord>, "find" | "list" | "all" | "drop"> {
  readonly findByExt: (ext: string) => UserRecord | null;
  /** True if another user has this id in the external network. */
  readonly isTaken: (ext: string | null, userId: number) => boolean;
  readonly models: () => number[];
  readonly oneBots: () => number[];
  readonly put: (user: UserRecord) => UserRecord;
  /** Adds a user under the next id. */
  readonly append: (user: Omit<UserRecord, "userId">) => UserRecord;
}

function mark(all: Set<number>, userId: number, isOne: boolean): void {
  if (isOne) all.add(userId);
  else all.delete(userId);
}

export function createPeople(counter: Counter): People {
  const users = createNumbered<UserRecord>(counter);
  const byExt = new Map<string, number>();
  const models = new Set<number>();
  const oneBots = new Set<number>();
  const { find, list, all } = users;
  const forgetExt = (userId: number): void => {
    const ext = find(userId)?.ext ?? null;
    if (ext !== null) byExt.delete(ext);
  };
  const put = (user: UserRecord): UserRecord => {
    forgetExt(user.userId);
    if (user.ext !== null) byExt.set(user.ext, user.userId);
    mark(models, user.userId, user.ai !== null);
    mark(oneBots, user.userId, user.oneBot !== null);
    users.put(user.userId, user);
    return user;
  };
  return {
    find,
    list,
    all,
    put,
    append: (user) => put({ ...user, userId: counter.next() }),
    findByExt: (ext) => find(byExt.get(ext) ?? 0),
    isTaken: (ext, userId) => ext !== null && (byExt.get(ext) ?? userId) !== userId,
    models: () => [...models].toSorted((a, b) => a - b),
    oneBots: () => [...oneBots].toSorted((a, b) => a - b),
    drop(userId) {
      forgetExt(userId);
      models.delete(userId);
      oneBots.delete(userId);
      return users.drop(userId);
    },
  };
}

/** Changes the account of a user in the same step. */
interface AccountsOfUsers {
  /** True if the user is the only active admin. */
  readonly isLastAdmin: (userId: number) => boolean;
  /** Increments `rev`. Ends the sessions and links of a suspended user. */
  readonly changed: (userId: number, suspended: boolean) => void;
  /** Empties the account, and ends its sessions, links and grants. */
  readonly removed: (userId: number, now: number) => void;
}

interface UserDeps {
  readonly people: People;
  readonly report: Report;
  readonly accounts: AccountsOfUsers;
}

const verbsOf = (verb: Verb, { people, report, accounts }: UserDeps): UserStore => ({
  appendUser: verb((user) => {
    if (people.isTaken(user.ext, 0)) return { outcome: "ext_taken" };
    return { outcome: "appended", user: people.append(user) };
  }),
  findUser: verb(people.find),
  findUsers: verb((userIds) => userIds.flatMap((userId) => people.find(userId) ?? [])),
  findUserByExt: verb(people.findByExt),
  listUsers: verb(({ after, limit }) => people.list(after, limit)),
  listModels: verb(() => people.models().flatMap((userId) => people.find(userId) ?? [])),
  listOneBots: verb(() => people.oneBots().flatMap((userId) => people.find(userId) ?? [])),
  amendUser: verb((userId, change) => {
    const user = people.find(userId);
    if (user === null) return { outcome: "missing" };
    const amended = { ...user, ...change };
    if (people.isTaken(amended.ext, userId)) return { outcome: "ext_taken" };
    report("user", userId);
    return { outcome: "amended", user: people.put(amended) };
  }),
  suspendUser: verb((userId, { suspended, force = false }) => {
    const user = people.find(userId);
    if (user === null) return { outcome: "missing" };
    if (suspended && !force && accounts.isLastAdmin(userId)) return { outcome: "last_admin" };
    accounts.changed(userId, suspended);
    report("user", userId);
    return { outcome: "amended", user: people.put({ ...user, suspended }) };
  }),
  dropUser: verb((userId, now) => {
    if (people.drop(userId) === null) return false;
    accounts.removed(userId, now);
    report("user", userId);
    return true;
  }),
});

export function createUserStore(verb: Verb, deps: UserDeps): Kept<UserStore, "users"> {
  const { people } = deps;
  const table = { all: people.all, put: (user: UserRecord) => void people.put({ ...user }) };
  return { store: verbsOf(verb, deps), tables: { users: table } };
}
