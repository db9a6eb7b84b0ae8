import { createECDH, randomBytes } from "node:crypto";
import { encrypt } from "http_ece";

/** The keys of a browser, base64url. */
interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** True for keys with which a text can be encrypted: a point on the curve, and 16 bytes. */
export function areKeys({ p256dh, auth }: BrowserKeys): boolean {
  const curve = createECDH("prime256v1");
  curve.generateKeys();
  try {
    curve.computeSecret(p256dh, "base64url");
  } catch {
    return false;
  }
  return Buffer.from(auth, "base64url").length === 16;
}

/** Encrypts for a browser (RFC 8291), with a key pair and a salt that are used once. */
export function encryptFor({ p256dh, auth }: BrowserKeys, content: Uint8Array): Buffer {
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  return encrypt(content, { version: "aes128gcm", privateKey, dh: p256dh, salt: randomBytes(16), authSecret: auth });
}
