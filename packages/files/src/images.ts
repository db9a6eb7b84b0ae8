export type {
  Algo,
  ImageEngine,
  ImageFormat,
  ImageInfo,
  ImageSource,
  ImageType,
  TextOptions,
} from "./images/engine.ts";
export { imagesLimits } from "./images/limits.ts";
export type { ImagesLimits } from "./images/limits.ts";
export { sniffImage } from "./images/sniff.ts";
