import type { Implementation } from "../contract.ts";
import { TelexError } from "../errors.ts";
import { maxId } from "../fields.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { Clock } from "../time.ts";
import { createAvatarCache, type MadeAvatar } from "./cache.ts";
import type { AvatarsContract } from "./contract.ts";
import { drawAvatar, type Drawn } from "./generated.ts";
import type { AvatarSource, ExternalAvatar } from "./source.ts";

/** What avatars need of the image engine. */
export interface AvatarImages {
  /**
   * The image as JPEG, its longer side `size` pixels; without `size` as large as it is.
   * @throws TelexError `unreadable_image`, `busy`
   */
  jpeg(bytes: Uint8Array, options: { readonly size?: number }): Promise<Uint8Array>;
  /**
   * Raw pixels, three bytes each, as JPEG.
   * @throws TelexError `busy`
   */
  encode(rgb: Uint8Array, width: number, height: number): Promise<Uint8Array>;
}

/** What {@link createAvatarsService} is made of. */
export interface AvatarsDeps {
  /** The MD5 of the stored image of a user or a chat room; null where it has none or there is no such user or room. */
  readonly findAvatar: (kind: "personal" | "group", id: number) => Promise<string | null>;
  /** The bytes of a stored image by its MD5, or null when it is gone. */
  readonly readFile: (md5: string) => Promise<Uint8Array | null>;
  readonly images: AvatarImages;
  readonly source: AvatarSource;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "avatarLife" | "avatarCacheEntries" | "avatarCacheBytes">;
  readonly log: Logger;
}

/** Milliseconds for which the failure of an external network is taken for granted. */
const failureLife = 60_000;
/** Pixels per side of a generated avatar when no size is asked for. */
const generatedSide = 256;

/** The number that an id of a user or room stands for; null when it can be none. */
function localId(id: string): number | null {
  const value = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0;
  return value >= 1 && value <= maxId ? value : null;
}

/** Avatars of all four kinds (interface 4.4). */
export function createAvatarsService(deps: AvatarsDeps): Implementation<AvatarsContract> {
  const { images, limits, log, source } = deps;
  const cache = createAvatarCache({
    clock: deps.clock,
    entries: limits.avatarCacheEntries,
    bytes: limits.avatarCacheBytes,
  });

  /** The picture of an id that has none of its own; known and unknown ids are alike, so ids cannot be probed. */
  const generated = (kind: Drawn["kind"], id: string, size = generatedSide) =>
    cache.get(`generated:${kind}:${size}:${id}`, async () => {
      const jpeg = await images.encode(drawAvatar({ kind, id }, size), size, size);
      return { jpeg, life: Number.POSITIVE_INFINITY };
    });

  /** A stored image, or null when it is gone or is none. */
  async function stored(md5: string, size: number | undefined) {
    const make = async (): Promise<MadeAvatar> => {
      const bytes = await deps.readFile(md5);
      if (bytes === null) throw new TelexError("file_not_found");
      return { jpeg: await images.jpeg(bytes, size === undefined ? {} : { size }), life: Number.POSITIVE_INFINITY };
    };
    try {
      return await cache.get(`stored:${md5}:${size ?? "full"}`, make);
    } catch (error) {
      if (!TelexError.is(error) || (error.code !== "file_not_found" && error.code !== "unreadable_image")) throw error;
      log.warn("avatar.unusable", { md5, code: error.code });
      return null;
    }
  }

  async function local(kind: "personal" | "group", id: string, size: number | undefined) {
    const number = localId(id);
    const md5 = number === null ? null : await deps.findAvatar(kind, number);
    return (md5 === null ? null : await stored(md5, size)) ?? (await generated(kind, id, size));
  }

  async function fetchExternal(avatar: ExternalAvatar): Promise<Uint8Array | null> {
    const bytes = await source.fetch(avatar);
    return bytes === null ? null : images.jpeg(bytes, avatar.size === null ? {} : { size: avatar.size });
  }

  function external(kind: "personal" | "group", id: string, size: number | undefined) {
    const fallback = async () => (await generated(`ext-${kind}`, id, size)).jpeg;
    return cache.get(`external:${kind}:${size ?? "full"}:${id}`, async (old) => {
      try {
        const jpeg = await fetchExternal({ kind, id, size: size ?? null });
        return { jpeg: jpeg ?? (await fallback()), life: limits.avatarLife };
      } catch (error) {
        if (TelexError.is(error) && error.code === "busy" && old === null) throw error;
        log.warn("avatar.source_failed", { kind, reason: error instanceof Error ? error.message : "unknown" });
        return { jpeg: old ?? (await fallback()), life: failureLife };
      }
    });
  }

  return {
    personal: (_caller, { id, size }) => local("personal", id, size),
    group: (_caller, { id, size }) => local("group", id, size),
    extPersonal: (_caller, { id, size }) => external("personal", id, size),
    extGroup: (_caller, { id, size }) => external("group", id, size),
  };
}
