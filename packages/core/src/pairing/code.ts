import { randomBytes, randomInt } from "node:crypto";

// Consonants only: no code spells a word, and none holds a letter that looks like a digit.
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const length = 8;

/** A new pairing code: 8 of 20 letters (2.6e10 codes). */
export const generatePairingCode = (): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join("");

/** A code as it is shown: with a hyphen in the middle. */
export const showPairingCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** The secret with which a device collects its token: 256 random bits. */
export const generatePairingSecret = (): string => randomBytes(32).toString("base64url");
