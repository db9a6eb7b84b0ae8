import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Storage } from "@telex/core/storage";
import { onTestFinished } from "vitest";
import type { SqliteStorageOptions } from "../src/index.ts";
import { openSqliteStorage } from "../src/storage.ts";

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "telex-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a database in a new folder that is removed after the test. */
export const temporaryFile = (): string => join(temporaryFolder(), "telex.db");

/** A storage that is closed after the test, and that commits terms of messages without waiting for the next verb. */
export async function openStorage(options: SqliteStorageOptions): Promise<Storage> {
  const storage = await openSqliteStorage({ alongDelay: 0, ...options });
  onTestFinished(() => storage.close());
  return storage;
}

/** Another process that uses a database. */
export interface Child {
  /** Its output. */
  readonly lines: Interface;
  readonly exited: Promise<unknown>;
  kill(): void;
}

/** Starts a script of this folder. */
export function startChild(script: string, ...parameters: readonly string[]): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=telex-source", path, ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise((resolve) => child.once("close", resolve));
  return { lines: createInterface(child.stdout), exited, kill: () => void child.kill("SIGKILL") };
}

const mount = (...options: readonly string[]): void =>
  void execFileSync("mount", [...options], { stdio: "ignore", timeout: 5000 });

/** True if this machine allows us to mount a disk. */
export function mountingWorks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "telex-sqlite-"));
  try {
    mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
    execFileSync("umount", ["-l", folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True if this machine allows us to trace the system calls of a process. */
export function tracingWorks(): boolean {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore", timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}

/** A disk of this many bytes that is unmounted after the test. */
export function smallDisk(size: number): string {
  const folder = temporaryFolder();
  mount("-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder);
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}
