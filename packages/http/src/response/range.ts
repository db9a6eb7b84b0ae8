import type { ByteRange } from "@telex/core/storage";

const bytesRange = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part of `size` bytes that a `Range` header selects: a range, the whole (no header, several ranges, or one that is not understood:
 * RFC 9110 14.2 lets a server ignore it), or a part that does not exist.
 */
export function selectRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  const [, first = "", last = ""] = bytesRange.exec(header ?? "") ?? [];
  if (first === "") return last === "" ? "whole" : selectSuffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  if (last !== "" && end < start) return "whole";
  return start < size ? { start, end: Math.min(end, size - 1) } : "unsatisfiable";
}

function selectSuffix(length: number, size: number): ByteRange | "whole" | "unsatisfiable" {
  if (length === 0) return "unsatisfiable";
  return length < size ? { start: size - length, end: size - 1 } : "whole";
}

/** True when an `If-None-Match` value names the tag (RFC 9110 13.1.2: weak comparison). */
export const matchesTag = (header: string | null, tag: string): boolean =>
  header !== null && header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === tag);
