import type { ImageEngine } from "@telex/image-text/sharp";

async function load(): Promise<ImageEngine> {
  const { createSharpEngine } = await import("@telex/image-text/sharp");
  return createSharpEngine();
}

/** Loads sharp with the first picture: most commands never use it, and a server starts faster without it. */
export function createLazyEngine(): ImageEngine {
  let engine: Promise<ImageEngine> | undefined;
  const ready = (): Promise<ImageEngine> => (engine ??= load());
  return {
    identify: async (bytes) => await (await ready()).identify(bytes),
    text: async (source, options) => await (await ready()).text(source, options),
    jpeg: async (source, options) => await (await ready()).jpeg(source, options),
    thumbnail: async (source, max) => await (await ready()).thumbnail(source, max),
    encode: async (rgb, width, height) => await (await ready()).encode(rgb, width, height),
    close: async () => await (await engine)?.close(),
  };
}
