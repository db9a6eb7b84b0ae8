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

/**
 * The password as it is hashed, if it may become the password of an account.
 * @param username the name of the account, which is not a password
 * @throws TelexError `weak_password` for one that is shorter than 8 or longer than 256 characters, common, or equal to the username
 */
export async function acceptPassword(password: string, username: string): Promise<string> {
  const opaque = opaqueString(password);
  const length = opaque === null ? 0 : codePoints(opaque);
  if (opaque === null || length < shortest || length > longest) throw new TelexError("weak_password");
  if (usernameKey(opaque) === usernameKey(username) || (await isCommon(opaque))) throw new TelexError("weak_password");
  return opaque;
}
