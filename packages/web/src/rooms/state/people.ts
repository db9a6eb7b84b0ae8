import type { AccountClient } from "@telex/auth-server/client";

/** A user or model that can be added to a room. */
export interface Person {
  readonly userId: number;
  readonly nickname: string;
  /** A second name, such as the username. May be empty. */
  readonly about: string;
  readonly avatar: string;
  /** True for an AI model. Models have no private chats. */
  readonly isModel: boolean;
}

/** Finds people by name. An empty text returns the first people. */
export type FindPeople = (typed: string) => Promise<readonly Person[]>;

/** The maximum number of results. */
const most = 20;

/** Finds people with an account and models, except the person. */
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
