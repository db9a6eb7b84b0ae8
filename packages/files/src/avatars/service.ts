import type { AvatarsLimits } from "./limits.ts";
import { type AvatarCache, createAvatarCache, type KeptAvatar, type MadeAvatar } from "./cache.ts";
import type { AvatarsContract, AvatarView } from "./contract.ts";
import { drawAvatar } from "@telex/avatars";
import { maxId, type Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { AvatarSource, ExternalAvatar } from "./source.ts";

interface AvatarImages {
  /**
   * The image as JPEG, its longer side `size` pixels; without `size` as large as it is. `read` is called when its turn comes.
   * @throws TelexError `unreadable_image`, `busy`, and what `read` throws
   */
  jpeg(read: () => Promise<Uint8Array>, options: { readonly size?: number }): Promise<Uint8Array>;
  /**
   * Raw pixels, three bytes each, as JPEG.
   * @throws TelexError `busy`
   */
  encode(rgb: Uint8Array, width: number, height: number): Promise<Uint8Array>;
}

export interface AvatarsDeps {
  /** The MD5 of the stored image of a user or a chat room; null if it has none or does not exist. */
  readonly findAvatar: (kind: "personal" | "group", id: number) => Promise<string | null>;
  /** The bytes of a stored image by its MD5, or null when it is gone. */
  readonly readFile: (md5: string) => Promise<Uint8Array | null>;
  /** The ID in the external network of a sender with this `userId`. */
  readonly extOf: (userId: string) => Promise<string>;
  readonly images: AvatarImages;
  readonly source: AvatarSource;
  readonly clock: Clock;
  readonly limits: Pick<
    AvatarsLimits,
    "avatarLife" | "avatarStaleLife" | "avatarFetches" | "avatarCacheEntries" | "avatarCacheBytes"
  >;
  readonly log: Logger;
}

/** Pixels of the longer side; undefined for as many as there are. */
type Size = number | undefined;

/** Milliseconds for which a failure is remembered. */
const failureLife = 60_000;
/** Pixels per side of a generated avatar when no size is asked for. */
const generatedSide = 256;
const forever = Number.POSITIVE_INFINITY;

/** The number in the id of a user or room; null if it cannot be one. */
function localId(id: string): number | null {
  const value = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0;
  return value >= 1 && value <= maxId ? value : null;
}

const optional = (size: Size): { readonly size?: number } => (size === undefined ? {} : { size });

interface Drawn {
  readonly kind: "personal" | "group" | "ext-personal" | "ext-group";
  readonly id: string;
}

/** The picture of an id without one of its own; known and unknown ids are treated alike, so that ids cannot be probed. */
const createGenerator =
  (cache: AvatarCache, images: AvatarImages) =>
  ({ kind, id }: Drawn, side: number = generatedSide): Promise<KeptAvatar> =>
    cache.get(`generated:${kind}:${side}:${id}`, async () => {
      const rgb = drawAvatar(`${kind}:${id}`, side, kind.endsWith("group") ? 3 : 2);
      return { jpeg: await images.encode(rgb, side, side), life: forever, isGenerated: true };
    });

interface Origin {
  readonly drawn: Drawn;
  readonly size: Size;
  /** Distinguishes this picture of the id from others. */
  readonly version: string;
  /** Returns the avatar as JPEG, or null without an avatar. */
  readonly load: () => Promise<Uint8Array | null>;
  readonly life: number;
  /** Milliseconds for which the cache remembers that a user has no avatar. */
  readonly noneLife: number;
}

/** Avatars that have an origin: while it fails, an older picture or a generated one replaces them. */
function createLoader({ images, clock, limits, log }: AvatarsDeps, cache: AvatarCache) {
  const generate = createGenerator(cache, images);

  async function standIn({ drawn, size }: Origin, stored: KeptAvatar | null, error: unknown): Promise<MadeAvatar> {
    const isUsable = stored !== null && (stored.isGenerated || clock.now() - stored.madeAt < limits.avatarStaleLife);
    const old = isUsable ? stored : null;
    // Faults of Telex, such as a storage that is down, are reported; faults of a picture are not.
    if (old === null && TelexError.is(error) && error.code !== "unreadable_image") throw error;
    log.warn("avatar.failed", { kind: drawn.kind, reason: error instanceof Error ? error.message : "unknown" });
    return { ...(old ?? (await generate(drawn, size))), life: failureLife };
  }

  const load = (origin: Origin): Promise<KeptAvatar> => {
    const { drawn, size, version, life, noneLife } = origin;
    return cache.get(`${drawn.kind}:${version}:${size ?? "full"}:${drawn.id}`, async (old) => {
      try {
        const jpeg = await origin.load();
        if (jpeg !== null) return { jpeg, life, isGenerated: false };
        return { jpeg: (await generate(drawn, size)).jpeg, life: noneLife, isGenerated: true };
      } catch (error) {
        return await standIn(origin, old, error);
      }
    });
  };
  return { generate, load };
}

/** Fetches from the external network, within the limit of simultaneous requests. */
function createFetcher({ source, images, limits }: AvatarsDeps) {
  let running = 0;
  return async (avatar: ExternalAvatar): Promise<Uint8Array | null> => {
    if (running >= limits.avatarFetches) throw new TelexError("busy", { retryAfter: 1 });
    running += 1;
    try {
      const bytes = await source.fetch(avatar);
      return bytes === null ? null : await images.jpeg(() => Promise.resolve(bytes), {});
    } finally {
      running -= 1;
    }
  };
}

/** A stored image; null when it is gone. It is read when its turn has come, so that waiting jobs hold no bytes. */
async function loadStored({ images, readFile }: AvatarsDeps, md5: string, size: Size): Promise<Uint8Array | null> {
  const read = async (): Promise<Uint8Array> => {
    const bytes = await readFile(md5);
    if (bytes === null) throw new TelexError("file_not_found");
    return bytes;
  };
  try {
    return await images.jpeg(read, optional(size));
  } catch (error) {
    if (TelexError.is(error) && error.code === "file_not_found") return null;
    throw error;
  }
}

const defaultSizes = [64, 128, 256, 512] as const;

/** The size that is requested from a source: the smallest one that need not be enlarged. */
const sizeToFetch = ({ sizes = defaultSizes }: AvatarSource, size: Size): number =>
  sizes.find((one) => size !== undefined && one >= size) ?? sizes.at(-1) ?? defaultSizes[3];

/** True for an id that can only be a name: it contains no separator, step up a path or escape, however often it is decoded. */
const isPlainId = (id: string): boolean => /^[\w.-]+$/.test(id) && !id.includes("..") && id !== ".";

const viewOf = ({ jpeg, etag }: KeptAvatar): AvatarView => ({ jpeg, etag });

/** Avatars of all four kinds (interface 4.4). */
export function createAvatarsService(deps: AvatarsDeps): Implementation<AvatarsContract> {
  const { clock, limits } = deps;
  const cache = createAvatarCache({ clock, entries: limits.avatarCacheEntries, bytes: limits.avatarCacheBytes });
  const { generate, load } = createLoader(deps, cache);
  const fetchExternal = createFetcher(deps);

  async function local(kind: "personal" | "group", id: string, size: Size): Promise<KeptAvatar> {
    const number = localId(id);
    const md5 = number === null ? null : await deps.findAvatar(kind, number);
    const drawn = { kind, id };
    if (md5 === null) return generate(drawn, size);
    const stored = () => loadStored(deps, md5, size);
    return load({ drawn, size, version: md5, load: stored, life: forever, noneLife: failureLife });
  }

  async function external(kind: "personal" | "group", asId: string, size: Size): Promise<KeptAvatar> {
    const id = kind === "personal" ? await deps.extOf(asId) : asId;
    const drawn = { kind: `ext-${kind}`, id } as const;
    if (!isPlainId(id)) return generate(drawn, size);
    const sourceSize = sizeToFetch(deps.source, size);
    const [version, life] = [`source-${sourceSize}`, limits.avatarLife];
    const fetched = () => fetchExternal({ kind, id, size: sourceSize });
    const original = await load({ drawn, size: undefined, version, load: fetched, life, noneLife: life });
    if (size === undefined) return original;
    if (original.isGenerated) return generate(drawn, size);
    const scaled = () => deps.images.jpeg(() => Promise.resolve(original.jpeg), { size });
    return load({ drawn, size, version: original.etag, load: scaled, life: forever, noneLife: failureLife });
  }

  return {
    personal: async (_caller, { id, size }) => viewOf(await local("personal", id, size)),
    group: async (_caller, { id, size }) => viewOf(await local("group", id, size)),
    extPersonal: async (_caller, { id, size }) => viewOf(await external("personal", id, size)),
    extGroup: async (_caller, { id, size }) => viewOf(await external("group", id, size)),
  };
}
