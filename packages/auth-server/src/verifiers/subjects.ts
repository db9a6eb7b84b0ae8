import type { UserStore } from "@telex/core/storage";
import type { Claims, VerifierOptions } from "./options.ts";

/** Options of {@link userBySubject}. */
export interface SubjectOptions {
  /** Precedes the subject in `ext`; needed if subjects of several providers could be equal. Default: none. */
  readonly prefix?: string;
  /** The nickname of a new user, cut to 64 characters. Default: the claim `name`, `preferred_username` or `sub`. */
  readonly nicknameOf?: (claims: Claims) => string;
}

/** Characters of the longest `ext`. */
const longest = 64;

const nameIn = ({ name, preferred_username: username, sub }: Claims): string =>
  [name, username].find((one): one is string => typeof one === "string" && one.trim() !== "") ?? sub;

const newUser = (ext: string, name: string) => ({
  nickname: Array.from(name).slice(0, 64).join(""),
  ext,
  phone: null,
  avatar: null,
  ai: null,
  oneBot: null,
  suspended: false,
  createdAt: Date.now(),
});

/**
 * Makes each subject of a provider one user of Telex: the subject is kept as `ext`, and a new subject becomes a new user.
 * Subjects of more than 64 characters with the prefix are refused.
 * @param users the users of the storage that the instance has
 */
export function userBySubject(
  users: Pick<UserStore, "findUserByExt" | "appendUser">,
  { prefix = "", nicknameOf = nameIn }: SubjectOptions = {},
): VerifierOptions["userOf"] {
  const find = async (ext: string, claims: Claims): Promise<number> => {
    const existing = await users.findUserByExt(ext);
    if (existing !== null) return existing.userId;
    const added = await users.appendUser(newUser(ext, nicknameOf(claims)));
    // A simultaneous first request was quicker.
    return added.outcome === "appended" ? added.user.userId : await find(ext, claims);
  };
  return async (claims) => {
    const ext = `${prefix}${claims.sub}`;
    return ext === "" || ext.length > longest ? null : await find(ext, claims);
  };
}
