const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a payload; null if it is not UTF-8. */
export function readText(payload: string | Uint8Array): string | null {
  if (typeof payload === "string") return payload;
  try {
    return decoder.decode(payload);
  } catch {
    return null;
  }
}
