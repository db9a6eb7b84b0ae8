import { execFileSync } from "node:child_process";
import * as fs from "node:fs/promises";
import { mkdtemp, readdir, readlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobStore, ByteStream } from "@telex/core/storage";
import { onTestFinished } from "vitest";
import type { Fs } from "../src/files.ts";

/** A name like those of core. The tests of one file may share names, because each has its own store. */
export const blobId = (number: number, suffix = ""): string => number.toString(16).padStart(32, "0") + suffix;

/** A directory that is removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "telex-blobs-"));
  onTestFinished(() => fs.rm(path, { recursive: true, force: true }));
  return path;
}

/** A stream of these texts or bytes. */
export async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

/** `count` chunks of `size` random bytes each. */
export async function* manyChunks(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(size, index);
}

/** All items, as a list. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** All bytes of a stream. */
export const readAll = async (stream: ByteStream | null): Promise<Buffer | null> =>
  stream === null ? null : Buffer.concat(await collect(stream));

/** The content of a blob as text; null if it does not exist. */
export const textOf = async (blobs: BlobStore, id: string): Promise<string | null> =>
  (await readAll(await blobs.open(id)))?.toString() ?? null;

/** The names of all blobs, sorted. */
export async function namesIn(blobs: BlobStore): Promise<string[]> {
  const entries = await collect(blobs.list());
  return entries.map((entry) => entry.blobId).toSorted();
}

/** The relative paths of all files below a directory. */
export async function filesUnder(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

/** The paths of the files that this process has open: from /proc if it exists, otherwise from lsof. */
async function openPaths(): Promise<string[]> {
  const descriptors = await readdir("/proc/self/fd").catch(() => null);
  if (descriptors === null) {
    const lines = execFileSync("lsof", ["-p", String(process.pid), "-Fn"], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => line.startsWith("n")).map((line) => line.slice(1));
  }
  return await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
}

/** The files below a directory that this process has open. */
export async function openFilesUnder(directory: string): Promise<string[]> {
  const root = await fs.realpath(directory);
  return (await openPaths()).filter((path) => path.startsWith(root));
}

/** The real file system. Calls `log` after every sync and rename. */
export function watchedFs(log: string[], root: string): Fs {
  const short = (path: unknown): string => String(path).slice(root.length) || "/";
  const open: typeof fs.open = async (path, flags, mode) => {
    const handle = await fs.open(path, flags, mode);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      log.push(`sync ${short(path)}`);
    };
    return handle;
  };
  return {
    ...fs,
    open,
    async rename(from, to) {
      await fs.rename(from, to);
      log.push(`rename ${short(from)} ${short(to)}`);
    },
  };
}

/** A disk of 2 MiB, and its kind. */
export interface SmallDisk {
  readonly kind: "mounted" | "played";
  readonly directory: string;
  readonly fs: Fs;
  /** Makes it read-only. */
  readonly protect: () => void;
}

const smallDiskSize = 2 * 2 ** 20;

const mount = (...options: readonly string[]): void =>
  void execFileSync("mount", [...options], { stdio: "ignore", timeout: 5000 });

/** True if this machine allows tests to mount a disk. */
export async function mountingWorks(): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), "telex-blobs-"));
  try {
    mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", directory);
    execFileSync("umount", ["-l", directory]);
    return true;
  } catch {
    return false;
  } finally {
    await fs.rm(directory, { recursive: true, force: true });
  }
}

/** A disk of 2 MiB: a real one if possible, otherwise the real file system behind a counter of written bytes. */
export async function smallDisk(kind: SmallDisk["kind"]): Promise<SmallDisk> {
  const directory = await temporaryDirectory();
  if (kind === "played") return playedDisk(directory);
  mount("-t", "tmpfs", "-o", `size=${smallDiskSize}`, "tmpfs", directory);
  onTestFinished(() => void execFileSync("umount", ["-l", directory]));
  return { kind, directory, fs, protect: () => mount("-o", "remount,ro", directory) };
}

/** Fails like the file system. */
export const refuse = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));

function playedDisk(directory: string): SmallDisk {
  const state = { left: smallDiskSize, readOnly: false };
  const open: typeof fs.open = async (path, flags, mode) => {
    if (state.readOnly && flags === "wx") return await refuse("EROFS");
    const handle = await fs.open(path, flags, mode);
    const write = handle.write.bind(handle);
    const counted = async (bytes: Uint8Array, offset: number) => {
      if (bytes.byteLength - offset > state.left) return await refuse("ENOSPC");
      state.left -= bytes.byteLength - offset;
      return await write(bytes, offset);
    };
    return Object.assign(handle, { write: counted });
  };
  const remove: typeof fs.rm = async (path, options) => {
    if (state.readOnly) await refuse("EROFS");
    const stats = await fs.stat(path).catch(() => null);
    state.left += stats?.size ?? 0;
    await fs.rm(path, options);
  };
  return { kind: "played", directory, fs: { ...fs, open, rm: remove }, protect: () => void (state.readOnly = true) };
}
