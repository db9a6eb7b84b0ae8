import { TelexError } from "@telex/core";
import { codePoints } from "@telex/core/contract";
import { opaqueString } from "./opaque.ts";
import { usernameKey } from "./usernames.ts";

const [shortest, longest] = [8, 256];

/*
 * The passwords with 8 characters or more among the 10,000 most common ones, in lower case, many in each line. From the list of Django 5.2,
 * which Royce Williams compiled from leaked passwords. Copyright (c) Django Software Foundation and individual contributors, BSD-3-Clause,
 * see LICENSE-django.
 */
const loadLines = async () => (await import("./common-passwords.json", { with: { type: "json" } })).default;

async function isCommon(password: string): Promise<boolean> {
  const lines = await loadLines();
  return lines.some((line) => line.split(" ").includes(password.toLowerCase()));
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

/** Letters of the shortest word that a password may not consist of: shorter ones occur everywhere. */
const shortestWord = 3;

/**
 * True for a password whose letters are only the username, `telex`, or words of the server's name, whatever digits and signs are among
 * them: attackers try these first.
 */
function isOfWords(password: string, username: string, host: string): boolean {
  const words = [username, "telex", host, ...host.split(/[.-]/)].map(lettersOf);
  const letters = lettersOf(password);
  const others = words
    .filter(({ length }) => length >= shortestWord)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, word) => rest.replaceAll(word, ""), letters);
  return letters !== "" && others === "";
}

/** The account that gets a password. */
interface PasswordOwner {
  readonly username: string;
  /** Where browsers reach the server. */
  readonly baseUrl: string;
}

/**
 * The password as it is hashed, if it may become the password of an account.
 * @throws TelexError `weak_password` for one that is shorter than 8 or longer than 256 characters, common, equal to the username, or made of
 *   it and of names of the server only
 */
export async function acceptPassword(password: string, { username, baseUrl }: PasswordOwner): Promise<string> {
  const opaque = opaqueString(password);
  const length = opaque === null ? 0 : codePoints(opaque);
  if (opaque === null || length < shortest || length > longest) throw new TelexError("weak_password");
  const isName =
    usernameKey(opaque) === usernameKey(username) || isOfWords(opaque, username, new URL(baseUrl).hostname);
  if (isName || (await isCommon(opaque))) throw new TelexError("weak_password");
  return opaque;
}
