export { backupSqlite } from "./file/backup.ts";
export { SqliteFileError } from "./engine/errors.ts";
export type { SqliteFileFault } from "./engine/errors.ts";
export { createSqliteMigrations } from "./file/migrations.ts";
export type { MigrationStatus, MigrationStep, SqliteMigrations } from "./file/migrations.ts";
export { BackupLock } from "./engine/server-lock.ts";
export { createSqliteStorage } from "./storage.ts";
export type { SqliteStorageOptions } from "./storage.ts";
export { verifySqlite } from "./file/verify.ts";
