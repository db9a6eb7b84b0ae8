import type { CommonOptions } from "../terminal/common-options.ts";
import type { Profile } from "../profiles/store.ts";
import { jsonText, printable } from "../terminal/output.ts";
import { findAuthority, revokeTokens } from "./authority.ts";
import { openBrowser } from "./browser.ts";
import { askForCode, awaitTokens, type Waiting } from "./device-grant.ts";

/** How a person is asked. */
export interface Asking extends Pick<CommonOptions, "json"> {
  /** True if the page is opened in the browser of this machine, if there is one. */
  readonly opens: boolean;
}

/** Shows a code on stderr, also with `--quiet`: without it, the person cannot sign in. */
function show({ code, address, addressWithCode, life }: Waiting, { json }: Asking): void {
  if (json === true) {
    const shown = { code, address, addressWithCode, expiresIn: life };
    process.stderr.write(`${jsonText({ confirm: shown })}\n`);
    return;
  }
  const lines = [`Open ${printable(address)} in a browser, and type this code:`, "", `    ${printable(code)}`, ""];
  process.stderr.write(`${lines.join("\n")}\n`);
}

/**
 * Signs in a person, who confirms a code in a browser.
 * @returns null if the server does not offer this: it has no accounts, or its operator has switched it off
 * @throws Failure `refused`, `expired`, `unreachable`, `unavailable`, `no_telex`, `other_address`
 */
export async function signIn(url: string, asking: Asking): Promise<Profile | null> {
  const authority = await findAuthority(url);
  const waiting = authority === null ? null : await askForCode(authority);
  if (authority === null || waiting === null) return null;
  show(waiting, asking);
  const opened = asking.opens ? openBrowser(waiting.addressWithCode) : null;
  return { url, ...(await awaitTokens(authority, waiting, opened ?? undefined)) };
}

/**
 * Ends the sign-in of a profile on its server.
 * @returns false for a profile whose token was given to telex login: it stays valid
 * @throws Failure `unreachable`, `unavailable`, `no_telex`, `other_address`
 */
export async function signOut({ url, renewal }: Profile): Promise<boolean> {
  const authority = renewal === undefined ? null : await findAuthority(url);
  if (authority === null || renewal === undefined) return false;
  await revokeTokens(authority, renewal.refreshToken);
  return true;
}
