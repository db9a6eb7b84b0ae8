import type { Query } from "../engine/database.ts";

/** Selects rows of rooms. */
interface Since {
  readonly groupIds: readonly number[];
  /** Only above this id. */
  readonly after: number;
  readonly limit: number;
}

/**
 * The new rows of some rooms, by id; null if there are more than the limit.
 * @param query takes a room, the id, and the number of rows
 */
export function listNew<Row extends { readonly id: number }>(
  query: Query<Row>,
  { groupIds, after, limit }: Since,
): readonly Row[] | null {
  const matches: Row[] = [];
  for (const groupId of new Set(groupIds)) {
    matches.push(...query.all(groupId, after, limit + 1 - matches.length));
    if (matches.length > limit) return null;
  }
  return matches.toSorted((a, b) => a.id - b.id);
}
