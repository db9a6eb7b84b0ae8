import type { UserRecord, UserStore } from "@telex/core";
import type { Report } from "./changes.ts";
import type { Verb } from "./gate.ts";
import { placeOf } from "./sorted.ts";

const idOf = ({ userId }: UserRecord): number => userId;

/** People in memory. */
export function createUserStore(verb: Verb, report: Report): UserStore {
  /** By id, which starts with 1 and has no holes. */
  const users: UserRecord[] = [];
  const byExt = new Map<string, number>();

  const find = (userId: number): UserRecord | null => users[userId - 1] ?? null;
  const isTaken = (ext: string | null, userId: number): boolean =>
    ext !== null && (byExt.get(ext) ?? userId) !== userId;
  const put = (user: UserRecord): UserRecord => {
    const before = find(user.userId)?.ext ?? null;
    if (before !== null) byExt.delete(before);
    if (user.ext !== null) byExt.set(user.ext, user.userId);
    users[user.userId - 1] = user;
    return user;
  };

  return {
    appendUser: verb((user) => {
      const userId = users.length + 1;
      if (isTaken(user.ext, userId)) return { outcome: "ext_taken" };
      return { outcome: "appended", user: put({ ...user, userId }) };
    }),
    findUser: verb(find),
    findUserByExt: verb((ext) => find(byExt.get(ext) ?? 0)),
    listUsers: verb(({ after, limit }) => {
      const start = placeOf(users, idOf, after + 1);
      return users.slice(start, start + limit);
    }),
    amendUser: verb((userId, change) => {
      const user = find(userId);
      if (user === null) return { outcome: "missing" };
      const amended = { ...user, ...change };
      if (isTaken(amended.ext, userId)) return { outcome: "ext_taken" };
      report("user", userId);
      return { outcome: "amended", user: put(amended) };
    }),
  };
}
