import { codePoints } from "@telex/core/contract";
import { isInClass, obeysBidiRule } from "./precis.ts";

const [shortest, longest] = [2, 32];

/** Characters with a wide or narrow form, and the wide space. */
const widths = /[\u{3000}\u{ff01}-\u{ffee}]/gu;

const mapped = (text: string): string =>
  text
    .replace(widths, (character) => character.normalize("NFKC"))
    .toLowerCase()
    .normalize("NFC");

/**
 * The form by which usernames are compared: the profile UsernameCaseMapped of RFC 8265, of 2 to 32 characters and without `@`.
 * Null for a text that is not a username.
 */
export function usernameKey(text: string): string | null {
  const key = mapped(text);
  const length = codePoints(key);
  if (length < shortest || length > longest || key.includes("@")) return null;
  // A key that changes when it is mapped again would let one name have two owners.
  return mapped(key) === key && isInClass(key, "identifier") && obeysBidiRule(key) ? key : null;
}
