export { createAvatarsService } from "./avatars/service.ts";
export { noAvatarSource } from "./avatars/source.ts";
export type { AvatarSource, ExternalAvatar } from "./avatars/source.ts";
export { assertOrphanAge, boundPuts, longestPutOf } from "./bucket/longest-put.ts";
export { createFilesOperator } from "./bucket/operator.ts";
export { filesView, readQuestionFiles, recallFiles, withFiles } from "./bucket/question-files.ts";
export { createQuotedFiles } from "./bucket/quoted.ts";
export type { QuotedFile, QuotedFiles, QuotedPart } from "./bucket/quoted.ts";
export { createBucketService, openBlob, receiveFile } from "./bucket/service.ts";
export type {
  BucketStore,
  FileExpiry,
  FilePut,
  FilePutResult,
  UploadReservation,
  UploadsPage,
  UploadTaken,
} from "./bucket/store.ts";
export { startSweeps } from "./bucket/sweep.ts";
export { createThumbnails, readFile } from "./bucket/thumbnails.ts";
export { createImagesService } from "./images/service.ts";
