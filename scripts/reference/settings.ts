import { tmpdir } from "node:os";
import { loadConfig } from "../../packages/cli/src/settings/load.ts";
import { allSettings, flagOf, variableOf } from "../../packages/cli/src/settings/table.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Every setting of `telex`: its spellings, what it takes, and what holds without it. */
export async function settingTable(): Promise<string> {
  const { entries } = await loadConfig({ cwd: tmpdir(), env: {}, flags: {} });
  const shown = new Map(entries().map((entry) => [entry.name, entry.shown]));
  const rows = allSettings.map(({ name, kind, description }) => {
    const preset = shown.get(name) ?? "";
    const value = preset === "" ? "none" : `\`${preset}\``;
    const spellings = `\`${name}\`<br>\`${flagOf(name)}\`<br>\`${variableOf(name)}\``;
    return `| ${spellings} | ${value} | ${cell(upper(description))}. Takes ${cell(kind.expected)}. |`;
  });
  return ["| Setting | Default | What it does |", "| --- | --- | --- |", ...rows].join("\n");
}
