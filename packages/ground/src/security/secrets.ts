import { hash } from "node:crypto";

/** The stored form of a secret with 128 random bits or more: its SHA-256, hexadecimal. */
export const digestOf = (secret: string): string => hash("sha256", secret);
