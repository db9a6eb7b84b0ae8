import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createSingleFlight } from "@telex/ground/concurrency";
import type { Clock } from "@telex/ground/time";
import type { AvatarView } from "./contract.ts";

export interface MadeAvatar {
  readonly jpeg: Uint8Array;
  /** Milliseconds for which it is fresh; infinite for an avatar that can never change. */
  readonly life: number;
  readonly isGenerated: boolean;
  /** Unix milliseconds at which the picture was made, if it is an older one; default now. */
  readonly madeAt?: number;
}

export interface KeptAvatar extends AvatarView {
  readonly isGenerated: boolean;
  /** Unix milliseconds. */
  readonly madeAt: number;
}

export interface AvatarCache {
  /**
   * The avatar under `key`: the cached one while it is fresh, otherwise the one that `make` returns. `make` gets the
   * previous one, and runs once for all simultaneous callers. Rejects with the error of `make`, and then caches nothing.
   */
  get(key: string, make: (old: KeptAvatar | null) => Promise<MadeAvatar>): Promise<KeptAvatar>;
}

interface AvatarCacheOptions {
  readonly clock: Clock;
  readonly entries: number;
  readonly bytes: number;
}

interface Kept {
  readonly avatar: KeptAvatar;
  readonly freshUntil: number;
}

/** A strong tag: two avatars have the same one only when they are the same bytes. */
const etagOf = (jpeg: Uint8Array): string => createHash("sha256").update(jpeg).digest("base64url");

/** A cache that is bounded by entries and by bytes. */
export function createAvatarCache({ clock, entries, bytes }: AvatarCacheOptions): AvatarCache {
  const pictures = new LRUCache<string, Kept>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: ({ avatar }, key) => avatar.jpeg.byteLength + key.length,
  });
  const flights = createSingleFlight<KeptAvatar>();

  async function refresh(key: string, old: KeptAvatar | null, make: Parameters<AvatarCache["get"]>[1]) {
    const { jpeg, life, isGenerated, madeAt = clock.now() } = await make(old);
    const avatar = { jpeg, etag: etagOf(jpeg), isGenerated, madeAt };
    pictures.set(key, { avatar, freshUntil: clock.now() + life });
    return avatar;
  }

  return {
    async get(key, make) {
      const entry = pictures.get(key);
      if (entry !== undefined && clock.now() < entry.freshUntil) return entry.avatar;
      return flights.run(key, () => refresh(key, entry?.avatar ?? null, make));
    },
  };
}
