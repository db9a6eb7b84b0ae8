export { joinBytes, createSemaphore } from "@telex/ground/concurrency";
export { TelexError } from "@telex/ground/errors";
export type { ReasonKey, TextParams } from "@telex/ground/errors";
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
