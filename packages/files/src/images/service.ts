import { LRUCache } from "lru-cache";
import { createSingleFlight } from "@telex/ground/concurrency";
import type { CallContext, Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { ImagesLimits } from "./limits.ts";
import type { ImagesContract } from "./contract.ts";
import type { Algo, ImageEngine } from "./engine.ts";

interface ImageFile {
  readonly blobId: string;
  /** `""` for a file that is not an image. */
  readonly ext: string;
}

interface ImagesDeps {
  readonly findFile: (md5: string) => Promise<ImageFile | null>;
  readonly readFile: (file: ImageFile) => Promise<Uint8Array>;
  readonly images: ImageEngine;
  readonly limits: ImagesLimits;
}

interface Rendering {
  readonly file: ImageFile;
  readonly col: number;
  readonly algo: Algo;
  readonly charge: NonNullable<CallContext["charge"]>;
}

/** Pixels of a picture that count as one more call of the caller. */
const callPixels = 1_000_000;

/** Keyed by blob, not by MD5: a file that is stored again under an old MD5 is rendered again. */
const keyOf = ({ file, col, algo }: Rendering): string => `${file.blobId} ${col} ${algo}`;

/** Reads a picture. Charges for decoding only: cached texts and pictures that are too large are free. */
async function readCharged({ images, readFile, limits }: ImagesDeps, { file, charge }: Rendering): Promise<Uint8Array> {
  const bytes = await readFile(file);
  const info = await images.identify(bytes);
  const pixels = info === null ? 0 : info.width * info.height;
  if (pixels <= limits.imagePixels) charge(Math.floor(pixels / callPixels));
  return bytes;
}

const renderText = (deps: ImagesDeps, request: Rendering): Promise<string> =>
  deps.images.text(() => readCharged(deps, request), { col: request.col, algo: request.algo });

/** Texts that were rendered. Simultaneous identical requests share one rendering, and only the first of them is not `cached`. */
function createTexts(deps: ImagesDeps) {
  const { imageCacheEntries: max, imageCacheBytes: maxSize } = deps.limits;
  const texts = new LRUCache<string, string>({ max, maxSize, sizeCalculation: (text) => text.length + 1 });
  const flights = createSingleFlight<string>();
  const render = async (key: string, request: Rendering): Promise<string> => {
    const text = await renderText(deps, request);
    texts.set(key, text);
    return text;
  };
  return async (request: Rendering): Promise<{ readonly text: string; readonly cached: boolean }> => {
    const key = keyOf(request);
    const text = texts.get(key);
    if (text !== undefined) return { text, cached: true };
    return { cached: flights.has(key), text: await flights.run(key, () => render(key, request)) };
  };
}

/** Pictures as text, with a bounded cache. Simultaneous identical requests share one rendering. */
export function createImagesService(deps: ImagesDeps): Implementation<ImagesContract> {
  const texts = createTexts(deps);
  return {
    async imageText(_caller, { file_id, col, algo }, context) {
      const file = await deps.findFile(file_id);
      if (file === null) throw new TelexError("file_not_found");
      if (file.ext === "") throw new TelexError("unreadable_image");
      return texts({ file, col, algo, charge: (calls) => context.charge?.(calls) });
    },
  };
}
