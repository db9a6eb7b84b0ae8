const mib = 1024 * 1024;

/** The limits of images, with their defaults. */
export const imagesLimits = {
  /** Pixels of an image, checked before decoding. */
  imagePixels: 50_000_000,
  /** Lines of an image text, checked before rendering. */
  imageLines: 2000,
  /** Images that are processed simultaneously. */
  imageJobs: 2,
  /** Images of one kind (texts, previews, avatars) that may wait for their turn. */
  imageQueue: 64,
  /** Milliseconds that decoding one image may take. */
  imageTime: 10_000,
  /** Pixels that are decoded simultaneously, over all jobs. An image with more runs alone. */
  imagePixelsAtOnce: 60_000_000,
  /** Image texts that are kept (interface 4.3). */
  imageCacheEntries: 300,
  /** Bytes of image text that are kept. */
  imageCacheBytes: 32 * mib,
};

/** The type of {@link imagesLimits}, by name. */
export interface ImagesLimits extends Readonly<typeof imagesLimits> {}
