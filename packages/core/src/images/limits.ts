import { second } from "../time/units.ts";

const mib = 1024 * 1024;

/** The limits of images. */
export interface ImagesLimits {
  /** Pixels of an image, checked before decoding. */
  readonly imagePixels: number;
  /** Lines of an image text, checked before rendering. */
  readonly imageLines: number;
  /** Images that are processed simultaneously. */
  readonly imageJobs: number;
  /** Images of one kind (texts, previews, avatars) that may wait for their turn. */
  readonly imageQueue: number;
  /** Milliseconds that decoding one image may take. */
  readonly imageTime: number;
  /** Pixels that are decoded simultaneously, over all jobs. An image with more runs alone. */
  readonly imagePixelsAtOnce: number;
  /** Image texts that are kept (interface 4.3). */
  readonly imageCacheEntries: number;
  /** Bytes of image text that are kept. */
  readonly imageCacheBytes: number;
}

/** The default of each limit. */
export const imagesLimits: ImagesLimits = {
  imagePixels: 50_000_000,
  imageLines: 2000,
  imageJobs: 2,
  imageQueue: 64,
  imageTime: 10 * second,
  imagePixelsAtOnce: 60_000_000,
  imageCacheEntries: 300,
  imageCacheBytes: 32 * mib,
};
