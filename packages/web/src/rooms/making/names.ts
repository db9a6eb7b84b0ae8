import type { FindPeople, Person } from "../state/people.ts";

/** The names that commas separate. */
export const namesIn = (typed: string): readonly string[] =>
  typed
    .split(/[,，、]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** The name that is being typed, after the last comma. */
export const lastOf = (typed: string): string =>
  typed
    .split(/[,，、]/)
    .at(-1)
    ?.trim() ?? "";

interface Named {
  readonly people: readonly Person[];
  /** The names without a match. */
  readonly missing: readonly string[];
}

/**
 * The first person with each name for whom `isOffered` returns true, without duplicates.
 * @throws the errors of the server
 */
export async function findNamed(
  find: FindPeople,
  names: readonly string[],
  isOffered: (person: Person) => boolean,
): Promise<Named> {
  const people: Person[] = [];
  const missing: string[] = [];
  const isNew = (person: Person): boolean =>
    isOffered(person) && !people.some(({ userId }) => userId === person.userId);
  for (const name of names) {
    const person = (await find(name)).find(isNew);
    if (person === undefined) missing.push(name);
    else people.push(person);
  }
  return { people, missing };
}
