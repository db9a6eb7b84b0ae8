export { avatarsLimits } from "./avatars/limits.ts";
export type { AvatarsLimits } from "./avatars/limits.ts";
export { bucketLimits } from "./bucket/limits.ts";
export type { BucketLimits } from "./bucket/limits.ts";
