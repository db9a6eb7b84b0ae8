import { hash, randomBytes } from "node:crypto";

/** Random bytes of a secret: too many to guess, so that a plain digest is enough to store. */
const size = 20;

const prefixes = {
  session: "tlxs_",
  link: "tlxl_",
  ticket: "tlxw_",
  client: "tlxc_",
  flow: "tlxf_",
  browser: "tlxb_",
} as const;

/** The kinds of secrets that open something when they are shown. */
type SecretKind = keyof typeof prefixes;

/** A new secret: a prefix that names its kind, and 40 hexadecimal digits. The log removes texts of this form. */
export const generateSecret = (kind: SecretKind): string => prefixes[kind] + randomBytes(size).toString("hex");

/** True for a text that {@link generateSecret} may have made: others are refused without asking the store. */
export const isSecretShaped = (kind: SecretKind, text: string): boolean =>
  text.startsWith(prefixes[kind]) && /^[0-9a-f]{40}$/.test(text.slice(prefixes[kind].length));

/** The form in which a secret is stored: its SHA-256, hexadecimal. */
export const digestOf = (secret: string): string => hash("sha256", secret);
