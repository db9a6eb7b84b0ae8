import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf, Failure } from "../errors/errors.ts";
import { isObject, jsonOf, textOf } from "../input/unknown.ts";

/** A server and a token for it. */
export interface Profile {
  readonly url: string;
  readonly token: string;
}

/** The name of the profile that is used by default. */
export const defaultProfile = "default";

/** The file of the profiles: `telex/profiles.json` in `$XDG_CONFIG_HOME`, or in `~/.config`. */
export const profilesFile = (): string => {
  const home = process.env["XDG_CONFIG_HOME"];
  return join(home === undefined || home === "" ? join(homedir(), ".config") : home, "telex", "profiles.json");
};

/**
 * All profiles by name.
 * @throws Failure `profiles_unreadable`
 */
export async function readProfiles(): Promise<ReadonlyMap<string, Profile>> {
  const file = profilesFile();
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return "{}";
    throw new Failure("profiles_unreadable", `The profiles in ${file} cannot be read (${codeOf(cause)}).`, { cause });
  });
  const entries = Object.entries(parse(text, file)).flatMap(([name, value]) => {
    const profile = { url: textOf(value, "url", ""), token: textOf(value, "token", "") };
    return profile.url === "" || profile.token === "" ? [] : [[name, profile] as const];
  });
  return new Map(entries);
}

function parse(text: string, file: string): object {
  // The message of JSON.parse may quote a token.
  const value = jsonOf(text);
  if (!isObject(value)) throw noObject(file);
  return value;
}

const noObject = (file: string): Failure =>
  new Failure("profiles_unreadable", `${file} must contain a JSON object. Repair it, or delete it and log in again.`);

/** Stores a profile, and replaces one with the same name. Only the user can read the file. */
export async function keepProfile(name: string, profile: Profile): Promise<void> {
  await write(new Map([...(await readProfiles()), [name, profile]]));
}

/** Removes a profile; false if it does not exist. */
export async function forgetProfile(name: string): Promise<boolean> {
  const profiles = new Map(await readProfiles());
  if (!profiles.delete(name)) return false;
  await write(profiles);
  return true;
}

/** Writes a new file and renames it, so that the file is always complete and never readable by others. */
async function write(profiles: ReadonlyMap<string, Profile>): Promise<void> {
  const file = profilesFile();
  const fresh = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(fresh, `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
}
