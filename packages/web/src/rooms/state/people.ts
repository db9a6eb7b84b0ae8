import type { AccountClient } from "@telex/auth-server/client";

/** Somebody who can be added to a room. */
export interface Person {
  readonly userId: number;
  readonly nickname: string;
  /** A further name, such as the username; may be empty. */
  readonly about: string;
  readonly avatar: string;
  /** True for an AI model, which has no private chats. */
  readonly isModel: boolean;
}

/** Finds people whose names match what was typed; the first ones for an empty text. */
export type FindPeople = (typed: string) => Promise<readonly Person[]>;

/** People that are fetched. */
const most = 20;

/** Finds people with an account, and models, without the person. */
export const createFindPeople =
  (api: Pick<AccountClient["groups"], "people">, own: number): FindPeople =>
  async (typed) => {
    const { list } = await api.people({ query: typed.trim(), pageSize: most });
    return list
      .filter(({ userId }) => userId !== String(own))
      .map(({ userId, nickname, username, avatar, model }) => ({
        userId: Number(userId),
        nickname,
        about: username === null ? "AI" : `@${username}`,
        avatar,
        isModel: model,
      }));
  };
