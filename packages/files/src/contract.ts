export { avatarsContract } from "./avatars/contract.ts";
export type { AvatarsContract, AvatarView } from "./avatars/contract.ts";
export { bucketContract, questionFileView } from "./bucket/contract.ts";
export type { BucketContract, FileLinkView, OwnFileView, StoredFileView } from "./bucket/contract.ts";
export { filesContract } from "./bucket/files-contract.ts";
export type { FilesContract } from "./bucket/files-contract.ts";
export { imagesContract } from "./images/contract.ts";
export type { ImagesContract } from "./images/contract.ts";
