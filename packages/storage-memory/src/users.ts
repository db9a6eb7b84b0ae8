import type { UserRecord, UserStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "./counters.ts";
import type { Verb } from "./gate.ts";
import { createNumbered } from "./numbered.ts";
import type { Kept } from "./tables.ts";

/** People in memory. */
export function createUserStore(verb: Verb, report: Report, counter: Counter): Kept<UserStore, "users"> {
  const users = createNumbered<UserRecord>(counter);
  const byExt = new Map<string, number>();
  const models = new Set<number>();

  const { find } = users;
  const isTaken = (ext: string | null, userId: number): boolean =>
    ext !== null && (byExt.get(ext) ?? userId) !== userId;
  const put = (user: UserRecord): UserRecord => {
    const before = find(user.userId)?.ext ?? null;
    if (before !== null) byExt.delete(before);
    if (user.ext !== null) byExt.set(user.ext, user.userId);
    if (user.ai === null) models.delete(user.userId);
    else models.add(user.userId);
    users.put(user.userId, user);
    return user;
  };

  const store: UserStore = {
    appendUser: verb((user) => {
      if (user.ext !== null && byExt.has(user.ext)) return { outcome: "ext_taken" };
      return { outcome: "appended", user: put({ ...user, userId: counter.next() }) };
    }),
    findUser: verb(find),
    findUserByExt: verb((ext) => find(byExt.get(ext) ?? 0)),
    listUsers: verb(({ after, limit }) => users.list(after, limit)),
    listModels: verb(() => [...models].toSorted((a, b) => a - b).flatMap((userId) => find(userId) ?? [])),
    amendUser: verb((userId, change) => {
      const user = find(userId);
      if (user === null) return { outcome: "missing" };
      const amended = { ...user, ...change };
      if (isTaken(amended.ext, userId)) return { outcome: "ext_taken" };
      report("user", userId);
      return { outcome: "amended", user: put(amended) };
    }),
    dropUser: verb((userId) => {
      const user = users.drop(userId);
      if (user === null) return false;
      if (user.ext !== null) byExt.delete(user.ext);
      models.delete(userId);
      report("user", userId);
      return true;
    }),
  };
  return { store, tables: { users: { all: users.all, put: (user) => void put({ ...user }) } } };
}
