export { backupSqlite } from "./backup.ts";
export { SqliteFileError } from "./errors.ts";
export type { SqliteFileFault } from "./errors.ts";
export { createSqliteMigrations } from "./migrations/migrations.ts";
export type { MigrationStatus, MigrationStep, SqliteMigrations } from "./migrations/migrations.ts";
export { BackupLock } from "./server-lock.ts";
export { createSqliteStorage } from "./storage.ts";
export type { SqliteStorageOptions } from "./storage.ts";
export { verifySqlite } from "./verify.ts";
