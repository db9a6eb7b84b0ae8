import { Failure, messageOf } from "../errors/errors.ts";
import { manifestName, type BackupFolder } from "./backup-folder.ts";

/** Which backups of a folder to keep: those that either rule keeps. */
export interface Retention {
  /** The number of newest backups to keep. */
  readonly keep: number | null;
  /** The maximum age in milliseconds. */
  readonly keepFor: number | null;
}

/** The name of a backup among several: its date in UTC, without characters that file systems reject. */
export const dateName = (date: Date): string => date.toISOString().replaceAll(":", "-");

const datedName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)(\.partial)?$/;

/** The date of a name in Unix milliseconds, or null if it is not the name of a backup. */
export function dateOf(name: string): number | null {
  const [, hour, minute, second] = datedName.exec(name) ?? [];
  const time = Date.parse(`${hour}:${minute}:${second}`);
  return hour === undefined || Number.isNaN(time) ? null : time;
}

/** Milliseconds after which an incomplete backup counts as interrupted. */
const interruptedAge = 86_400_000;

/** A name in a folder of several backups. */
interface NamedBackup {
  readonly name: string;
  readonly isComplete: boolean;
}

/** The backups to remove. The newest complete one stays, and so does the one of `now`, even if an earlier clock was wrong. */
export function outdated(
  backups: readonly NamedBackup[],
  { keep, keepFor }: Retention,
  now: number,
): readonly string[] {
  const dated = backups.flatMap(({ name, isComplete }) => {
    const at = dateOf(name);
    return at === null ? [] : [{ name, isComplete, at }];
  });
  const complete = dated.filter(({ isComplete }) => isComplete).toSorted((a, b) => b.at - a.at);
  const isKept = (at: number, rank: number): boolean =>
    at === now || rank < Math.max(1, keep ?? 0) || (keepFor !== null && at > now - keepFor);
  const old = complete.filter(({ at }, rank) => !isKept(at, rank));
  const interrupted = dated.filter(({ isComplete, at }) => !isComplete && at < now - interruptedAge);
  return [...old, ...interrupted].map(({ name }) => name);
}

/** True if this is a complete backup. */
export const isBackup = async (folder: BackupFolder): Promise<boolean> => await folder.has(manifestName);

/** All dated names in a folder. */
export async function findBackups(folder: BackupFolder): Promise<readonly NamedBackup[]> {
  const backups: NamedBackup[] = [];
  for (const name of await folder.children()) {
    if (dateOf(name) === null) continue;
    backups.push({ name, isComplete: !name.endsWith(".partial") && (await isBackup(folder.child(name))) });
  }
  return backups;
}

/**
 * Removes outdated backups, and returns their names.
 * @throws Failure `retention_failed` (as a rejection)
 */
export async function retire(folder: BackupFolder, retention: Retention, now: Date): Promise<readonly string[]> {
  return await removeOutdated(folder, retention, now).catch((cause: unknown) => {
    const message = `The backup is complete, but older ones could not be removed: ${messageOf(cause)}`;
    throw new Failure("retention_failed", message, { cause });
  });
}

async function removeOutdated(folder: BackupFolder, retention: Retention, now: Date): Promise<readonly string[]> {
  const names = outdated(await findBackups(folder), retention, now.getTime());
  for (const name of names) await folder.child(name).remove();
  return names;
}
