import { tmpdir } from "node:os";
import { loadConfig } from "../../packages/cli/src/settings/load.ts";
import { flagOf, variableOf } from "../../packages/cli/src/settings/setting.ts";
import { allSettings } from "../../packages/cli/src/settings/table.ts";

/** Text for a cell of a table. Addresses become code, so that they are not links. */
const cell = (text: string): string =>
  text
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll(/https?:\/\/\S+\w[^\s,;.]*/g, "`$&`");
const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Every setting of `telex`: its spellings, values and default. */
export async function settingTable(): Promise<string> {
  const { entries } = await loadConfig({ cwd: tmpdir(), env: {}, flags: {} });
  const shown = new Map(entries().map((entry) => [entry.name, entry.shown]));
  const rows = allSettings.map(({ name, kind, description }) => {
    const preset = shown.get(name) ?? "";
    const value = preset === "" ? "none" : `\`${preset}\``;
    const spellings = `\`${name}\`<br>\`${flagOf(name)}\`<br>\`${variableOf(name)}\``;
    const takes = kind.expected.startsWith("a text") ? "" : ` Takes ${cell(kind.expected)}.`;
    return `| ${spellings} | ${value} | ${cell(upper(description))}.${takes} |`;
  });
  return ["| Setting | Default | What it does |", "| --- | --- | --- |", ...rows].join("\n");
}
