export { joinBytes } from "./concurrency/join-bytes.ts";
export { createSemaphore } from "./concurrency/semaphore.ts";
export { TelexError } from "./errors/errors.ts";
export type { ReasonKey, TextParams } from "./errors/keys.ts";
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
