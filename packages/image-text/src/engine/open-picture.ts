import type { TextOptions } from "@telex/files/images";
import type { Pixels } from "../text/area.ts";
/** A picture file that was opened to be drawn in this thread. */
export interface OpenPicture {
  /** Pixels from left to right, once the picture is upright. */
  readonly width: number;
  /** Pixels from top to bottom, once the picture is upright. */
  readonly height: number;
  /** The time of each frame in milliseconds; one entry if the picture does not move. */
  readonly delays: readonly number[];
  /** The number of times that an animation is played; 0 for no end. */
  readonly loops: number;
  /**
   * Decodes the first frame, on black where it is transparent; an SVG on white.
   * @throws TelexError `unreadable_image`
   */
  first(): Promise<Pixels>;
  /**
   * The first frame as text, each line ending with CRLF (interface 4.3).
   * @throws TelexError `unreadable_image`, with the reason `image_too_many_lines` before anything is decoded
   */
  text(options: TextOptions): Promise<string>;
  /**
   * Decodes every frame.
   * @throws TelexError `unreadable_image`, with the reason `image_too_many_pixels` if all frames together have too many
   */
  all(): Promise<readonly Pixels[]>;
}
