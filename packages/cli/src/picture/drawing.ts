import type { Look } from "./look.ts";
import type { OpenPicture } from "@telex/image-text/picture";
/** An open picture, and how to draw it. */
export interface Drawing {
  readonly picture: OpenPicture;
  readonly look: Look;
  /** Characters per line. */
  readonly col: number;
}
