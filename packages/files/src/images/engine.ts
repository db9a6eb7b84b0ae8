/** The six formats that Telex reads. Any other file is not an image, whatever its name says. */
export type ImageFormat = "jpeg" | "png" | "gif" | "webp" | "avif" | "tiff";

/** The ways to turn a picture into text: by brightness, or by its edges (interface 4.3). */
export type Algo = "gray" | "border";

/** The type of a picture, read from its first bytes. */
export interface ImageType {
  readonly format: ImageFormat;
  /** The media type, such as `image/jpeg`. */
  readonly mime: string;
  /** The ending of a file name without the dot, such as `jpg`. */
  readonly ext: string;
}

/** The type and the size of a picture, read from its header. */
export interface ImageInfo extends ImageType {
  /** Pixels from left to right, once the picture is upright (after EXIF). */
  readonly width: number;
  /** Pixels from top to bottom, once the picture is upright. */
  readonly height: number;
}

/** Options of an image text. */
export interface TextOptions {
  /** Characters per line, 1-200. */
  readonly col: number;
  readonly algo: Algo;
}

/**
 * A picture file, or a function that reads it when the job's turn has come, so that waiting jobs hold no
 * bytes. Bytes are never changed, and must not be changed until the job is done.
 */
export type ImageSource = Uint8Array | (() => Promise<Uint8Array>);

/**
 * Reads pictures and writes them. At most two jobs run at a time and 64 of each kind wait; texts, previews and avatars take turns; no job blocks the event loop.
 *
 * Every job but `identify` throws these errors, in addition to those of its source:
 * `unreadable_image` if the bytes are not a complete picture of the six formats, have more than 50 megapixels (seen before
 * decoding; reason `image_too_many_pixels`) or take more than 10 s to decode; `busy` when 64 jobs of its kind wait already;
 * `shutting_down` when the engine was closed.
 */
export interface ImageEngine {
  /** Reads the header; null if it is not of one of the six formats. Decodes nothing. */
  identify(bytes: Uint8Array): Promise<ImageInfo | null>;
  /**
   * The picture as lines of characters, each ending with CRLF (interface 4.3).
   * @throws TelexError `unreadable_image` also if the text would have more than 2,000 lines (reason `image_too_many_lines`)
   */
  text(source: ImageSource, options: TextOptions): Promise<string>;
  /**
   * The upright picture as JPEG, on white where it is transparent (interface 4.4).
   * @param options.size pixels of the longer side, 1-512; without it the picture keeps its size
   */
  jpeg(source: ImageSource, options: { readonly size?: number }): Promise<Uint8Array>;
  /**
   * A small version, as PNG if the picture has transparency, otherwise as JPEG. Never enlarges.
   * @param max pixels that neither side exceeds (interface 2.10)
   */
  thumbnail(source: ImageSource, max: number): Promise<{ readonly bytes: Uint8Array; readonly mime: string }>;
  /**
   * Pixels as a JPEG file, for pictures that are drawn here.
   * @param rgb three bytes per pixel, row by row, `3 * width * height` in all
   */
  encode(rgb: Uint8Array, width: number, height: number): Promise<Uint8Array>;
  /** Ends running jobs and rejects waiting ones, with `shutting_down`. */
  close(): Promise<void>;
}
