import { createTelex, type GroupView, operator, type Telex, type TelexOptions, type TokenHolder } from "@telex/core";
import { createLogCollector, type LogCollector } from "./log.ts";

/** A user with a token. */
export interface Person {
  readonly id: number;
  readonly token: string;
  readonly tokenId: number;
}

/** Options of a user of a scene. */
export interface PersonOptions {
  /** The scopes of the token. Default: `chat`. */
  readonly scopes?: readonly string[];
  /** The id of the user in the external network. Default: none. */
  readonly ext?: string;
}

/** Options of a room of a scene. */
export interface RoomOptions {
  /** Default: `Room`. */
  readonly name?: string;
  /** Default: 1. */
  readonly groupType?: GroupView["groupType"];
  /** The ID of the group or person in the external network for which it stands. */
  readonly ext?: string;
  /** The account of the external network through which it sends. */
  readonly bot?: string;
}

/** An instance for one test, with helpers for its people and rooms. */
export interface Scene {
  readonly telex: Telex;
  /** The log of the instance. */
  readonly log: LogCollector;
  /** Adds a user with a token. */
  readonly person: (nickname: string, options?: PersonOptions) => Promise<Person>;
  /** The caller that the token of a user stands for, for calls without a transport. */
  readonly caller: (person: Person) => Promise<TokenHolder>;
  /** Issues another token for a user. */
  readonly issue: (person: Person, scopes: readonly string[]) => Promise<string>;
  /** Adds a room with these members, and returns its `groupId`. */
  readonly room: (members: readonly Person[], options?: RoomOptions) => Promise<number>;
}

/**
 * Creates an instance for one test. Its log is kept, and what it returns is checked against the contracts. Close it with
 * `scene.telex.close()`.
 * @param telexOptions as for `createTelex`; pass a {@link createManualClock} to control time
 * @throws as `createTelex`
 */
export async function createScene(telexOptions: Omit<TelexOptions, "log">): Promise<Scene> {
  const log = createLogCollector();
  const telex = await createTelex({ checkOutput: true, ...telexOptions, log });
  const issue = (userId: number, scopes: readonly string[]) =>
    telex.operator.tokens.issue(operator, { userId, scopes: [...scopes] });
  return {
    telex,
    log,
    async person(nickname, { scopes = ["chat"], ext } = {}) {
      const { id } = await telex.operator.users.add(operator, { nickname, ext });
      const { token, id: tokenId } = await issue(id, scopes);
      return { id, token, tokenId };
    },
    async caller({ token }) {
      const caller = await telex.authenticate(token);
      if (caller.kind !== "token") throw new Error("The token has ended.");
      return caller;
    },
    issue: async ({ id }, scopes) => (await issue(id, scopes)).token,
    async room(members, { name = "Room", groupType = 1, ...network } = {}) {
      const ids = members.map(({ id }) => id);
      return (await telex.operator.groups.add(operator, { groupType, name, members: ids, ...network })).groupId;
    },
  };
}
