import { Failure } from "../errors/errors.ts";
import { manifestName, type Place } from "./place.ts";
import { findBackups, isBackup } from "./retention.ts";

/** The place itself if it is a backup, otherwise the newest backup in it. */
export async function newestIn(place: Place): Promise<Place> {
  if (await isBackup(place)) return place;
  const names = (await findBackups(place)).filter(({ isComplete }) => isComplete).map(({ name }) => name);
  const newest = names.toSorted().at(-1);
  if (newest !== undefined) return place.child(newest);
  throw new Failure(
    "backup_missing",
    `There is no complete backup at ${place.name}: ${manifestName} is missing. It is written last, so an interrupted backup has none.`,
  );
}
