import { codePoints } from "@telex/core/contract";
import { fields } from "../contract/fields.ts";
import { usernameKey } from "../credentials/usernames.ts";
import type { ProviderOptions } from "./options.ts";

/** The verified claims of a provider about a person. */
export interface Claimed {
  readonly issuer: string;
  /** The subject: the provider never gives it to another person. */
  readonly subject: string;
  /** As the person knows the account there: an address, a username, or the subject. */
  readonly name: string;
  /** The texts from which the username of a new account is made, the best one first. */
  readonly usernames: readonly string[];
  readonly nickname: string | null;
  readonly groups: readonly string[];
  /** The domain of the verified e-mail address. */
  readonly domain: string | null;
}

type Claims = Readonly<Record<string, unknown>>;

const textOf = (claims: Claims, name: string): string | null => {
  const value = claims[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
};

function groupsOf(value: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.filter((one) => typeof one === "string");
}

function domainOf(email: string | null, isVerified: unknown): string | null {
  if (email === null || isVerified !== true) return null;
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

const nicknameOf = (text: string | null): string | null => {
  const cut = Array.from(text ?? "")
    .slice(0, 64)
    .join("")
    .trim();
  return fields.nickname.safeParse(cut).success ? cut : null;
};

type ClaimNames = Pick<ProviderOptions, "usernameClaim" | "nicknameClaim" | "groupsClaim">;

/** Reads the claims of a person. */
export function readClaims(
  { issuer, subject }: Pick<Claimed, "issuer" | "subject">,
  claims: Claims,
  { usernameClaim = "preferred_username", nicknameClaim = "name", groupsClaim = "groups" }: ClaimNames,
): Claimed {
  const [username, email, nickname] = [usernameClaim, "email", nicknameClaim].map((name) => textOf(claims, name));
  return {
    issuer,
    subject,
    name: (email ?? username ?? nickname ?? subject).slice(0, 256),
    usernames: [username, email, nickname].filter((name) => typeof name === "string"),
    nickname: nicknameOf(nickname ?? null),
    groups: groupsOf(claims[groupsClaim]),
    domain: domainOf(email ?? null, claims["email_verified"]),
  };
}

/** True if a person is in the domains and the groups that may enter. Each list that is set must hold. */
export function mayEnter({ groups, domain }: Claimed, wanted: Pick<ProviderOptions, "domains" | "groups">): boolean {
  const domains = wanted.domains?.map((one) => one.toLowerCase()) ?? [];
  const isInDomain = domains.length === 0 || (domain !== null && domains.includes(domain));
  const isInGroup = (wanted.groups ?? []).length === 0 || groups.some((group) => wanted.groups?.includes(group));
  return isInDomain && isInGroup;
}

/** Maximum characters of a proposal: a number must fit after it. */
const longest = 24;

const isUsable = (character: string): boolean => usernameKey(`a${character}a`) !== null;

/** The username that a text contains; null if it would be too short. */
function usernameIn(text: string): string | null {
  const [local = ""] = text.normalize("NFC").split("@", 1);
  const usable = Array.from(local.replaceAll(/\s+/g, "-").slice(0, 256)).filter(isUsable).slice(0, longest);
  const name = usable.join("");
  return codePoints(name) > 1 && usernameKey(name) !== null ? name : null;
}

/** A username for a person, which may be taken. */
export const proposeUsername = ({ usernames }: Claimed): string =>
  usernames.map(usernameIn).find((name) => name !== null) ?? "guest";
