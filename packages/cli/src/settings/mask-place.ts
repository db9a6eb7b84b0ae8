import { maskAll, maskUrl } from "@telex/core/options";

/** Masks the values of a driver's options: each can be a secret, or an address that contains one. */
export const maskPlace = (shown: string): string =>
  shown.startsWith("unstorage:") ? shown.replaceAll(/([?&][^=&]*=)[^&]*/g, `$1${maskAll("value")}`) : maskUrl(shown);
