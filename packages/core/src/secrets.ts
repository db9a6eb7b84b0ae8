import { createHash } from "node:crypto";

/** What is kept of a secret with 128 random bits or more: its SHA-256, hexadecimal. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
