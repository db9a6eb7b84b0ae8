/** A picture or file. Fields that the version or the side does not know are empty or null. */
export interface Media {
  /** OneBot 11: bytes as `base64://...`, an address, or the name of the file. */
  readonly file: string;
  /** Its address, or null. */
  readonly url: string | null;
  /** The id with which it is fetched. */
  readonly fileId: string;
  readonly name: string;
  /** Bytes, or null. */
  readonly size: number | null;
  readonly summary: string;
  readonly subType: string;
}

/** A picture or file in a message. */
export type MediaPart = (Media & { readonly kind: "image" }) | (Media & { readonly kind: "file" });

/** One part of a message, whatever the version of OneBot. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  /** `id`: of a person, or `all`. */
  | { readonly kind: "at"; readonly id: string; readonly name: string }
  /** `id`: of the message that is quoted. */
  | { readonly kind: "reply"; readonly id: string }
  | MediaPart
  /** A part that Telex does not have, or whose fields are missing. */
  | { readonly kind: "other"; readonly type: string };

/** A picture or file without any details. */
export const noMedia = {
  file: "",
  url: null,
  fileId: "",
  name: "",
  size: null,
  summary: "",
  subType: "",
} as const;
