export { digestRecords, linesOf } from "./digest.ts";
export { TransferError } from "@telex/core/storage";
export { copyFiles } from "./files.ts";
export type { DamagedFile, FilesReport } from "./files.ts";
export type { TransferLog, TransferState } from "./log.ts";
export { copySnapshot } from "./snapshot.ts";
export { assertFree, transfer } from "./transfer.ts";
export type { TransferProgress, TransferReport } from "./options.ts";
