import { randomBytes } from "node:crypto";

/** A new upload code: 128 random bits in hexadecimal digits (interface 2.8). */
export const generateUploadCode = (): string => randomBytes(16).toString("hex");
