import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, rmSync, statfsSync, truncateSync, writeFileSync, writeSync, openSync, closeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { folder } from "test-support/command";

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, [...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 20_000 });

async function mounted(...options: readonly string[]): Promise<string> {
  const place = await folder();
  run("mount", ...options, place);
  // A test may have unmounted it.
  onTestFinished(() => void spawnSync("umount", ["-l", place]));
  return place;
}

/** A disk in memory of this many bytes. */
export const smallDisk = async (size: number): Promise<string> =>
  await mounted("-t", "tmpfs", "-o", `size=${size}`, "tmpfs");

/** Fills the disk. The returned function frees the space. */
export function fill(disk: string): () => void {
  const file = join(disk, "ballast");
  const handle = openSync(file, "w");
  const part = Buffer.alloc(64 * 1024);
  try {
    for (let size = part.length; size >= 1;) {
      try {
        writeSync(handle, part, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(handle);
  }
  return () => rmSync(file);
}

/** Bytes that are in use. */
export function usedBytes(disk: string): number {
  const { blocks, bfree, bsize } = statfsSync(disk);
  return (blocks - bfree) * bsize;
}

/** A file system in a file, which can become read-only while it is in use. */
export interface Image {
  readonly place: string;
  /** Simulates a fault: the kernel rejects further writes, also to open files. */
  breakDown(): void;
  /** Mounts it again, as after a restart of the machine. */
  mountAgain(): Promise<string>;
}

/** A new file system of this many bytes. */
export async function imageDisk(size: number): Promise<Image> {
  const image = join(await folder(), "image");
  writeFileSync(image, "");
  truncateSync(image, size);
  run("mkfs.ext4", "-q", image);
  const options = ["-o", "loop,errors=remount-ro", image];
  const place = await mounted(...options);
  const device = run("findmnt", "-no", "SOURCE", place).trim().replace("/dev/", "");
  return {
    place,
    breakDown: () => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "1"),
    async mountAgain() {
      run("umount", place);
      return await mounted(...options);
    },
  };
}

/** Makes everything below a folder immutable, open files included. The returned function undoes it. */
export function freeze(path: string): () => void {
  run("chattr", "-R", "+i", path);
  return () => void run("chattr", "-R", "-i", path);
}

/** Files below a folder, by their names. */
export const filesBelow = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
