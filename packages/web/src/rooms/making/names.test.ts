import { expect, test } from "vitest";
import type { Person } from "../state/people.ts";
import { findNamed, lastOf, namesIn } from "./names.ts";

const person = (userId: number, nickname: string): Person => ({
  userId,
  nickname,
  about: "",
  avatar: "",
  isModel: false,
});

const all = [person(1, "Bob"), person(2, "Bobby"), person(3, "林小满"), person(4, "Carol")];

const find = (typed: string): Promise<readonly Person[]> =>
  Promise.resolve(all.filter(({ nickname }) => nickname.toLowerCase().startsWith(typed.toLowerCase())));

const idsOf = async (typed: string, ticked: readonly number[] = []) => {
  const { people, missing } = await findNamed(find, namesIn(typed), ({ userId }) => !ticked.includes(userId));
  return { ids: people.map(({ userId }) => userId), missing };
};

test("names are separated by commas of both languages, and may contain spaces", () => {
  expect(namesIn(" Bob, 林小满、Ann Lee，, ")).toEqual(["Bob", "林小满", "Ann Lee"]);
  expect([lastOf("Bob, Ann L"), lastOf("Bob,"), lastOf("Bob")]).toEqual(["Ann L", "", "Bob"]);
});

test("each name finds the first matching person, without duplicates", async () => {
  expect(await idsOf("bob, 林, bob, bob")).toEqual({ ids: [1, 3, 2], missing: ["bob"] });
  expect(await idsOf("bob, nobody", [1])).toEqual({ ids: [2], missing: ["nobody"] });
});
