import { nextTick } from "@telex/core/transport";
import type { Account, UserRecord } from "@telex/core/storage";
import { createPinyin, createSearchReader, type Finding, joinMatches, type MessageMatch } from "@telex/search-terms";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";
import { hasBlocked } from "./has-blocked.ts";

/** A person who can be found: with an account, or a model. */
interface Found {
  readonly user: UserRecord;
  /** Null for a model. */
  readonly account: Account | null;
}

interface PeopleQuery {
  /** Empty: all people. */
  readonly query: string;
  /** People with greater ids. */
  readonly after: number;
  readonly limit: number;
}

/** People, and the id after which the next page begins; null at the end. */
interface PeoplePage {
  readonly people: readonly Found[];
  readonly next: number | null;
}

/** Limits of the users that one call reads, and of its steps. A page may be short. */
const reading = { each: 200, steps: 5 };

const segmentsOf = (text: string): string => JSON.stringify([{ text: { text } }]);

/** The names of a person as the content of a message, with the pinyin of the nickname. */
function textsOf({ nickname }: UserRecord, account: Account | null, pinyin: string) {
  const username = account === null ? "" : ` ${account.username}`;
  return { content: segmentsOf(nickname + username), pinyin: segmentsOf(pinyin + username) };
}

function resultOf(finding: Finding<MessageMatch>): readonly MessageMatch[] {
  let step = finding.next();
  while (step.done !== true) step = finding.next();
  return step.value;
}

/** Matches names as the search matches messages: Chinese also by its pinyin. */
function createMatcher() {
  const pinyin = createPinyin(10_000);
  const reader = createSearchReader((character) => pinyin.readingsOf(character));
  return (query: string) => {
    const words = reader.words(query);
    return ({ user, account }: Found): boolean => {
      if (query === "") return true;
      const find = reader.open(textsOf(user, account, pinyin.nickname(user.nickname)));
      return words.length > 0 && joinMatches(words.map((word) => resultOf(find(word)))).length > 0;
    };
  };
}

/** Finds people by their names. */
export function createPeople({ storage, rules }: AuthDeps) {
  const match = createMatcher();
  const readSome = async (after: number): Promise<readonly (readonly [number, Found | null])[]> => {
    const page = { after, limit: reading.each };
    const [users, accounts] = [await storage.users.listUsers(page), await storage.accounts.listAccounts(page)];
    const byId = new Map(accounts.map((account) => [account.userId, account]));
    return users.map((user) => {
      const account = byId.get(user.userId) ?? null;
      const isPerson = !isSuspended(user) && (user.ai !== null || account !== null);
      return [user.userId, isPerson ? { user, account } : null];
    });
  };
  return {
    /** People other than the calling user, without those who have blocked the user. */
    async find(me: number, { query, after, limit }: PeopleQuery): Promise<PeoplePage> {
      const isMatch = match(query);
      const own = rules.directory === "shared" ? new Set(await storage.groups.listGroupsOf(me)) : null;
      const isKnown = async ({ user }: Found) =>
        own === null || (await storage.groups.listGroupsOf(user.userId)).some((groupId) => own.has(groupId));
      const people: Found[] = [];
      let last = after;
      for (let step = 0; step < reading.steps; step += 1) {
        const some = await readSome(last);
        for (const [userId, person] of some) {
          if (people.length === limit) return { people, next: last };
          last = userId;
          if (person === null || userId === me || (person.account !== null && hasBlocked(person.account, me))) continue;
          if (isMatch(person) && (await isKnown(person))) people.push(person);
        }
        if (some.length < reading.each) return { people, next: null };
        await nextTick();
      }
      return { people, next: last };
    },
  };
}
