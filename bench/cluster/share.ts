import { existsSync } from "node:fs";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A control group of Linux. */
export interface Group {
  readonly add: (pid: number) => Promise<void>;
  /** The number of periods so far, and of those in which the processes reached their limit. */
  readonly used: () => Promise<{ readonly periods: number; readonly exhausted: number }>;
  /** Removes the limit of the processes. */
  readonly remove: () => Promise<void>;
}

/** The folders of control groups of version 1 and of version 2. */
const [first, second] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"] as const;

/** Microseconds of a period. Short periods cause many short waits instead of a few long ones. */
const period = 50_000;

/** The weight against other processes of the machine, which have 1, so that they do not slow down the measured ones. */
const weight = 10;

/** The files of a group with their values. A share of null sets no limit. */
function settingsOf(isFirst: boolean, share: number | null): readonly (readonly [file: string, value: string])[] {
  const quota = share === null ? null : String(Math.round(share * period));
  if (!isFirst)
    return [
      ["cpu.max", `${quota ?? "max"} ${period}`],
      ["cpu.weight", String(weight * 100)],
    ];
  return [
    ["cpu.cfs_period_us", String(period)],
    ["cpu.cfs_quota_us", quota ?? "-1"],
    ["cpu.shares", String(weight * 1024)],
  ];
}

let made = 0;

/**
 * Creates a group whose processes together get at most this share of one core, or no limit if it is null.
 * @throws Error if this user may not create groups
 */
export async function createGroup(share: number | null): Promise<Group> {
  const isFirst = existsSync(join(first, "cpu.cfs_quota_us"));
  const root = isFirst ? first : second;
  if (!isFirst) await writeFile(join(root, "cgroup.subtree_control"), "+cpu");
  const folder = join(root, `telex-bench-${process.pid}-${(made += 1)}`);
  await mkdir(folder);
  for (const [file, value] of settingsOf(isFirst, share)) await writeFile(join(folder, file), value);
  return {
    add: (pid) => writeFile(join(folder, "cgroup.procs"), String(pid)),
    async used() {
      const text = await readFile(join(folder, "cpu.stat"), "utf8");
      const read = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1] ?? 0);
      return { periods: read("nr_periods"), exhausted: read("nr_throttled") };
    },
    async remove() {
      const left = await readFile(join(folder, "cgroup.procs"), "utf8");
      for (const pid of left.trim().split("\n").filter(Boolean)) await writeFile(join(root, "cgroup.procs"), pid);
      await rmdir(folder);
    },
  };
}

/** The group of unlimited processes, or null if this user may not create groups. */
export const createFree = (): Promise<Group | null> => createGroup(null).catch(() => null);
