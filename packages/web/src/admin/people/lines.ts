import { type AccountClient, type Listed, readPeopleList } from "@telex/auth-server/client";
import type { LineOutcome } from "./texts.ts";

type Accounts = AccountClient["admin"];

/** The number of people per call. */
const perCall = 200;

/** A line of a list, with its outcome. */
export interface Line extends Omit<Listed, "problem"> {
  readonly outcome: LineOutcome;
  /** The link for the person. Null before the import, and for existing accounts. */
  readonly url: string | null;
}

const good: readonly LineOutcome[] = ["new", "waiting", "known"];

/** False for a line that cannot be imported. */
export const isGood = ({ outcome }: Line): boolean => good.includes(outcome);

/** Imports people in batches, or checks what an import would do. */
async function send(accounts: Accounts, people: readonly Omit<Listed, "problem">[], isTrial: boolean): Promise<Line[]> {
  const lines: Line[] = [];
  for (let at = 0; at < people.length; at += perCall) {
    const some = people.slice(at, at + perCall);
    const named = some.map(({ username, nickname }) => ({ username, ...(nickname !== undefined && { nickname }) }));
    const { list } = await accounts.importPeople({ people: named, isTrial });
    for (const [index, { line, username, nickname }] of some.entries()) {
      const { outcome = "username", url = null } = list[index] ?? {};
      lines.push({ line, username, nickname, outcome, url });
    }
  }
  return lines;
}

/** Parses a table, and asks the server what importing its lines would do. */
export async function tryLines(accounts: Accounts, text: string): Promise<readonly Line[]> {
  const listed = readPeopleList(text);
  const tried = await send(
    accounts,
    listed.filter(({ problem }) => problem === null),
    true,
  );
  const refused = listed.flatMap(({ problem, ...person }) =>
    problem === null ? [] : [{ ...person, outcome: problem, url: null }],
  );
  return [...tried, ...refused].toSorted((a, b) => a.line - b.line);
}

/** Imports the lines without problems. */
export const importLines = async (accounts: Accounts, lines: readonly Line[]): Promise<readonly Line[]> =>
  await send(accounts, lines.filter(isGood), false);
