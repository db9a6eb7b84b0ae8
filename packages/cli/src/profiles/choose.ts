import { printable } from "../terminal/output.ts";
import { UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { defaultProfile, readProfiles } from "./store.ts";
import type { Profile } from "./store.ts";

/** A profile that provides the missing options of a command. */
export interface ChosenProfile extends Profile {
  readonly name: string;
}

/**
 * The profile that provides the missing options of a client command, or null. A named profile counts like its address. The default
 * profile counts only if there is no other address.
 * @throws UsageError for an unknown name, and for a URL together with a profile of another URL
 */
export async function chooseProfile(config: Config): Promise<ChosenProfile | null> {
  const name = config.get(settings.profile);
  const profiles = await readProfiles();
  const profile = profiles.get(name ?? defaultProfile) ?? null;
  if (name !== null && profile === null) throw new UsageError(unknownProfile(name, [...profiles.keys()]));
  if (profile === null) return null;
  if (config.rank(settings.url) === 0 || config.get(settings.url) === profile.url)
    return { name: name ?? defaultProfile, ...profile };
  // A token must never reach a server that it was not stored for.
  if (name === null) return null;
  throw new UsageError(
    `Profile "${printable(name)}" is for ${printable(profile.url)}, but a different URL is given. Leave one of them out.`,
  );
}

const unknownProfile = (name: string, names: readonly string[]): string => {
  const list = names.length === 0 ? "There are none" : `There are ${names.map(printable).join(", ")}`;
  return `There is no profile "${printable(name)}". ${list}; telex login --profile ${printable(name)} makes one.`;
};
