import { isInClass } from "./precis.ts";

/** The form in which passwords are compared: the profile OpaqueString of RFC 8265. Null for a text that it refuses. */
export function opaqueString(text: string): string | null {
  const opaque = text.replace(/\p{Zs}/gu, " ").normalize("NFC");
  return opaque !== "" && isInClass(opaque, "freeform") ? opaque : null;
}
