import type { AccountClient } from "@telex/auth-server/client";
import { type Listed, readPeopleList } from "@telex/auth-server/client";
import type { Command } from "commander";
import { Failure } from "../errors/errors.ts";
import { readText } from "../input/read-text.ts";
import { printResult, talkOf } from "../options/command.ts";
import { printRows } from "../terminal/output.ts";
import { inAccounts } from "./in-accounts.ts";

/** People that one call imports. */
const perCall = 200;

/** How `telex user import` works. */
export interface Import {
  readonly file: string;
  /** Change nothing, and report what would happen. */
  readonly isTrial: boolean;
  /** Import the good lines although others are refused. */
  readonly skipsRefused: boolean;
}

type Imported = Awaited<ReturnType<AccountClient["admin"]["importPeople"]>>["list"][number];

/** A line of the file, and its outcome. */
interface ImportedLine {
  readonly line: number;
  readonly username: string;
  readonly outcome: Imported["outcome"] | NonNullable<Listed["problem"]>;
  readonly id: number | null;
  readonly url: string | null;
}

const refusals: ReadonlySet<string> = new Set(["username", "twice", "gone", "no_username", "too_long", "too_many"]);
const isRefused = ({ outcome }: ImportedLine): boolean => refusals.has(outcome);

async function run(command: Command, listed: readonly Listed[], isTrial: boolean): Promise<readonly ImportedLine[]> {
  const good = listed.filter(({ problem }) => problem === null);
  const results = await inAccounts(command, async (accounts) => {
    const imported: Imported[] = [];
    for (let at = 0; at < good.length; at += perCall) {
      const people = good.slice(at, at + perCall).map(({ username, nickname }) => ({ username, nickname }));
      imported.push(...(await accounts.importPeople({ people, isTrial })).list);
    }
    return imported;
  });
  const of = new Map(good.map((person, index) => [person, results[index]]));
  return listed.map((person) => {
    const { outcome, id = null, url = null } = of.get(person) ?? { outcome: person.problem ?? "username" };
    return { line: person.line, username: person.username, outcome, id, url };
  });
}

const linesOf = (lines: readonly ImportedLine[]): string =>
  lines.map(({ line, username, outcome }) => `line ${line} (${username || "-"}): ${outcome}`).join("\n  ");

/**
 * `telex user import`. Stdout has a line for each person, with the link by which they come in.
 * @throws Failure `refused_lines`, before anything is changed
 */
export async function importPeople(command: Command, { file, isTrial, skipsRefused }: Import): Promise<void> {
  const listed = readPeopleList(readText("list", file));
  const tried = await run(command, listed, true);
  const refused = tried.filter(isRefused);
  if (refused.length > 0 && !skipsRefused && !isTrial)
    throw new Failure(
      "refused_lines",
      `Nothing was imported, because of these lines:\n  ${linesOf(refused)}\nFix them, or import the others with --skip-refused.`,
    );
  const wanted = new Set(tried.filter((one) => !isRefused(one)).map(({ line }) => line));
  const lines = isTrial
    ? tried
    : await run(
        command,
        listed.filter(({ line }) => wanted.has(line)),
        false,
      );
  printResult(command, lines, (shown) => {
    printRows(shown, {
      line: ({ line }) => line,
      username: ({ username }) => username,
      outcome: ({ outcome }) => outcome,
      link: ({ url }) => url ?? "-",
    });
    const count = shown.filter(({ outcome }) => outcome === "new").length;
    talkOf(command).done(isTrial ? `${count} accounts would be opened.` : `${count} accounts were opened.`);
  });
}
