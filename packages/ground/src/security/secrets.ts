import { hash } from "node:crypto";

/** The stored form of a secret with at least 128 random bits: its SHA-256 in hexadecimal digits. */
export const digestOf = (secret: string): string => hash("sha256", secret);
