import { Failure } from "../errors/errors.ts";
import type { ChosenProfile } from "../profiles/choose.ts";
import { changeProfile, type Profile } from "../profiles/store.ts";
import { printable } from "../terminal/output.ts";

/** Milliseconds for which a token must still be valid when a command begins: commands may take a while. */
const margin = 10 * 60_000;

const isFresh = ({ renewal }: Profile): boolean => renewal === undefined || renewal.expiresAt - Date.now() > margin;

const signedOut = (name: string, url: string): Failure =>
  new Failure("signed_out", `You are signed out of ${url}. Run telex login --profile ${printable(name)} again.`);

async function renew(name: string, profile: Profile): Promise<Profile> {
  const { url, renewal } = profile;
  // Loaded late: few commands need a new token.
  const { findAuthority, renewTokens } = await import("./authority.ts");
  const authority = await findAuthority(url);
  const tokens =
    authority === null || renewal === undefined ? null : await renewTokens(authority, renewal.refreshToken);
  if (tokens === null) throw signedOut(name, url);
  return { url, ...tokens };
}

/**
 * A token of a profile that does not expire soon. If several commands need a new one, one gets it from the server and the others use it: a
 * refresh token that is used twice ends the sign-in.
 * @throws Failure `signed_out`, `unreachable`, `unavailable`, `profiles_busy`
 */
export async function freshTokenOf({ name, ...chosen }: ChosenProfile): Promise<string> {
  if (isFresh(chosen)) return chosen.token;
  let { token } = chosen;
  await changeProfile(name, async (profile) => {
    if (profile?.url !== chosen.url) throw signedOut(name, chosen.url);
    const fresh = isFresh(profile) ? profile : await renew(name, profile);
    ({ token } = fresh);
    return fresh;
  });
  return token;
}
