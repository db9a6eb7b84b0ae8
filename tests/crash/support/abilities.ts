import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const works = (attempt: () => void): boolean => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};

const quiet = { stdio: "ignore", timeout: 10_000 } as const;

function mounts(...options: readonly string[]): boolean {
  const place = mkdtempSync(join(tmpdir(), "telex-mount-"));
  try {
    return works(() => {
      execFileSync("mount", [...options, place], quiet);
      execFileSync("umount", ["-l", place], quiet);
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** True if the machine can mount a file as a file system. */
function mountsImages(): boolean {
  const place = mkdtempSync(join(tmpdir(), "telex-image-"));
  const image = join(place, "image");
  const mount = join(place, "mount");
  try {
    return works(() => {
      writeFileSync(image, "");
      truncateSync(image, 2 ** 24);
      execFileSync("mkfs.ext4", ["-q", image], quiet);
      execFileSync("mkdir", [mount], quiet);
      execFileSync("mount", ["-o", "loop", image, mount], quiet);
      execFileSync("umount", ["-l", mount], quiet);
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const declare = (name: string, isThere: boolean): readonly string[] => {
  if (!isThere) process.stdout.write(`not tested here, since this machine cannot do it: ${name}\n`);
  return isThere ? [name] : [];
};

/** The abilities of this machine, each as a list of one name or none. Missing abilities are logged. */
export const abilities = {
  /** Watching the system calls of a process. */
  strace: declare(
    "strace",
    works(() => execFileSync("strace", ["-o", "/dev/null", "true"], quiet)),
  ),
  /** Mounting a small disk, which needs root. */
  smallDisk: declare("a small disk", mounts("-t", "tmpfs", "-o", "size=64k", "tmpfs")),
  /** Mounting a file as a disk. */
  imageDisk: declare("a disk in a file", mountsImages()),
};
