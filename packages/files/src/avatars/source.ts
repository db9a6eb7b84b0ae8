/** A requested avatar of the external network. */
export interface ExternalAvatar {
  readonly kind: "personal" | "group";
  /** The ID in the external network, as the caller gave it. */
  readonly id: string;
  /** Pixels of the longer side: one of the sizes of the source. */
  readonly size: number;
}

/** Where avatars of the external network come from. */
export interface AvatarSource {
  /** The sizes that it is asked for, in pixels, the smallest first. Others are scaled from these. Default 64, 128, 256 and 512. */
  readonly sizes?: readonly number[];
  /**
   * Fetches an image in the raster format of the network, still encoded. Resolves with null for a person without an image. Rejects if the network
   * does not answer; the caller then gets an older image or a generated one.
   */
  fetch(avatar: ExternalAvatar): Promise<Uint8Array | null>;
}

/** The source of an installation without an external network. */
export const noAvatarSource: AvatarSource = { fetch: () => Promise.resolve(null) };
