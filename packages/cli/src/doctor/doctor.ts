import { styleText } from "node:util";
import type { Command } from "commander";
import { commonOf, configOf } from "../options/command.ts";
import { print, printable, printJson } from "../terminal/output.ts";
import { sentenceOf } from "../errors/report.ts";
import { signed } from "../terminal/signs.ts";
import { checks } from "./checks.ts";
import type { Finding } from "./finding.ts";

interface Checked extends Finding {
  readonly name: string;
}

/** Checks that open the storage. If it cannot be used, the check of the storage itself has given the reason. */
const needStorage: ReadonlySet<string> = new Set(["bots", "rooms", "accounts"]);
const notChecked: Finding = { status: "warn", detail: "not checked, because the storage cannot be used" };

const failed = async (error: unknown): Promise<Finding> => ({ status: "fail", detail: await sentenceOf(error) });

/** Runs all checks, prints their findings, and sets the exit code to 1 if one failed. */
export async function runDoctor(command: Command): Promise<void> {
  const config = await configOf(command);
  const results: Checked[] = [];
  const json = commonOf(command).json === true;
  for (const [name, check] of Object.entries(checks)) {
    const isUnusable = results.some((one) => one.name === "storage" && one.status === "fail");
    const finding = isUnusable && needStorage.has(name) ? notChecked : await check(config).catch(failed);
    results.push({ name, ...finding });
    if (!json) printFinding(name, finding);
  }
  const ok = results.every(({ status }) => status !== "fail");
  if (json) printJson({ ok, checks: results });
  if (!ok) process.exitCode = 1;
}

const signs = { ok: "success", warn: "warn", fail: "error" } as const;

function printFinding(name: string, { status, detail, hint }: Finding): void {
  print(signed(signs[status], `${name.padEnd(9)}  ${printable(detail)}`, process.stdout));
  if (hint !== undefined) print(`  ${" ".repeat(9)}  ${styleText("dim", printable(hint))}`);
}
