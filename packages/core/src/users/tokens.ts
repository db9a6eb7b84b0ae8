import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "tlxp_";
const bodyLength = 30;
const checkLength = 6;
const pattern = /^tlxp_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

function base62(value: number, length: number): string {
  let rest = value;
  let digits = "";
  for (let index = 0; index < length; index += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const checkOf = (body: string): string => base62(crc32(body), checkLength);

/** A new personal access token: `tlxp_`, 30 random digits of base 62 (178 bits), and 6 digits of their CRC-32. */
export function generateToken(): string {
  const body = Array.from({ length: bodyLength }, () => alphabet.charAt(randomInt(62))).join("");
  return `${prefix}${body}${checkOf(body)}`;
}

/** True for a text that {@link generateToken} may have made: refuses junk without asking the store. */
export function isTokenShaped(token: string): boolean {
  const [, body, check] = pattern.exec(token) ?? [];
  return body !== undefined && check === checkOf(body);
}
