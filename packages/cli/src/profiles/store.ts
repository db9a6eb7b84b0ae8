import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf, Failure } from "../errors/errors.ts";
import { fieldOf, isObject, jsonOf, textOf } from "../input/unknown.ts";
import { alone } from "./lock.ts";

/** How a token is replaced when it ends. */
export interface Renewal {
  readonly refreshToken: string;
  /** When the token ends, in Unix milliseconds. */
  readonly expiresAt: number;
}

/** A server and a token for it. */
export interface Profile {
  readonly url: string;
  readonly token: string;
  /** Missing for a token that a person gave to telex login. */
  readonly renewal?: Renewal;
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
    const profile = profileIn(value);
    return profile.url === "" || profile.token === "" ? [] : [[name, profile] as const];
  });
  return new Map(entries);
}

function profileIn(value: unknown): Profile {
  const profile = { url: textOf(value, "url", ""), token: textOf(value, "token", "") };
  const renewal = fieldOf(value, "renewal");
  const refreshToken = textOf(renewal, "refreshToken", "");
  const expiresAt = fieldOf(renewal, "expiresAt");
  return refreshToken === "" || typeof expiresAt !== "number"
    ? profile
    : { ...profile, renewal: { refreshToken, expiresAt } };
}

function parse(text: string, file: string): object {
  // The message of JSON.parse may quote a token.
  const value = jsonOf(text);
  if (!isObject(value)) throw noObject(file);
  return value;
}

const noObject = (file: string): Failure =>
  new Failure("profiles_unreadable", `${file} must contain a JSON object. Repair it, or delete it and log in again.`);

/**
 * Changes one profile, and keeps other commands from changing any until then.
 * @param change gets the profile, or null, and returns the changed profile, or null to remove it
 * @returns the profile before the change
 * @throws Failure `profiles_unreadable`, `profiles_busy`
 */
export async function changeProfile(
  name: string,
  change: (profile: Profile | null) => Promise<Profile | null> | Profile | null,
): Promise<Profile | null> {
  const file = profilesFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return await alone(`${file}.lock`, async () => {
    const profiles = new Map(await readProfiles());
    const former = profiles.get(name) ?? null;
    const changed = await change(former);
    if (changed === null) profiles.delete(name);
    else profiles.set(name, changed);
    if (changed !== former) await write(file, profiles);
    return former;
  });
}

/** Writes a new file and renames it, so that the file is always complete and never readable by others. */
async function write(file: string, profiles: ReadonlyMap<string, Profile>): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  try {
    await writeFile(fresh, `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
}
