export { MongoStorageError } from "./errors.ts";
export type { MongoStorageFault } from "./errors.ts";
export { createMongoStorage } from "./storage.ts";
export type { MongoStorage, MongoStorageOptions } from "./storage.ts";
export { createMongoBlobs } from "./blobs.ts";
export type { MongoBlobsOptions } from "./blobs.ts";
export { createMongoBus } from "./bus.ts";
export type { MongoBusOptions } from "./bus.ts";
