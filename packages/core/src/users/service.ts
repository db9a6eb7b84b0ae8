import { avatarPath, type TokenHolder, type Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { UsersContract } from "./contract.ts";
import { createOwnTokens, type OwnTokensDeps } from "./own-tokens.ts";
import type { UserRecord } from "../records/users.ts";

interface UsersDeps extends OwnTokensDeps {
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
}

/** User information (interface 4.5), and a user's own tokens. */
export function createUsersService({ findUser, ...deps }: UsersDeps): Implementation<UsersContract> {
  const own = async ({ userId }: TokenHolder): Promise<UserRecord> => {
    const user = await findUser(userId);
    // A token of a removed user is not valid.
    if (user === null) throw new TelexError("invalid_token");
    return user;
  };
  return {
    async userInfo(caller) {
      const { userId, ext, phone, nickname } = await own(caller);
      return { ext: ext ?? "", phone, nickname, avatar: avatarPath(userId) };
    },
    userId: async (caller) => ({ id: (await own(caller)).userId }),
    ...createOwnTokens(deps),
  };
}
