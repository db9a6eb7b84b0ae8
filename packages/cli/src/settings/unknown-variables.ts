import { nearest } from "@telex/core/options";
import { variableOf } from "./setting.ts";
import { allSettings } from "./table.ts";

/** The sources of settings. */
export interface Sources {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags by the name of their setting. Flags of other options are ignored. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The file that `--config` names. Without it, the loader looks in the folder. */
  readonly file?: string | undefined;
}

const prefix = "TELEX_";

/** The prefix is the same for all variables, so it does not count for the similarity of names. */
function variableHint(variable: string): string {
  const near = nearest(
    variable.slice(prefix.length),
    allSettings.map(({ name }) => name),
  );
  return near === undefined ? "" : ` Did you mean "${variableOf(near)}"?`;
}

export function unknownVariables(env: Sources["env"]): string[] {
  const ownVariables = new Set(allSettings.map(({ name }) => variableOf(name)));
  return Object.keys(env)
    .filter((variable) => variable.startsWith(prefix) && !ownVariables.has(variable))
    .map((variable) => `${variable} is not a setting and is ignored.${variableHint(variable)}`);
}
