import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

/** Encrypts values that are stored and must be read again. */
export interface Seal {
  readonly close: (text: string) => string;
  /** Throws if the text was sealed with another key. */
  readonly open: (text: string) => string;
}

const mark = "sealed:";
const algorithm = "aes-256-gcm";

function encrypt(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce);
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, 12)).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString("utf8");
}

/** A seal with the secret of an installation. Without one, texts are stored unencrypted, and can always be read. */
export function createSeal(secretKey: string | undefined): Seal {
  const key = secretKey === undefined ? null : hash("sha256", `telex keys ${secretKey}`, "buffer");
  return {
    close(text) {
      if (key === null) return text;
      return mark + encrypt(key, text).toString("base64");
    },
    open(text) {
      if (!text.startsWith(mark)) return text;
      if (key === null)
        throw new TypeError("A stored key is sealed: set secretKey to the value with which it was stored.");
      return decrypt(key, Buffer.from(text.slice(mark.length), "base64"));
    },
  };
}
