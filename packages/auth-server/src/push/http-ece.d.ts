declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Encrypts with the content coding of RFC 8188, and with the keys of RFC 8291 if there is an `authSecret`. */
  export function encrypt(
    content: Uint8Array,
    options: {
      readonly version: "aes128gcm";
      readonly privateKey: ECDH;
      readonly dh: string;
      readonly salt: Uint8Array;
      readonly authSecret: string;
    },
  ): Buffer;
}
