import type { MarkedRead, MessageStore, RoomReading } from "@telex/core/storage";
import type { SqliteChangeFeed } from "../stores/changes.ts";
import type { prepareMessages } from "../sql/messages.ts";
import type { ReadMarkers } from "./read-markers.ts";

interface ReadingDeps {
  readonly sql: Pick<ReturnType<typeof prepareMessages>, "page" | "idAt" | "notices" | "mentions" | "seqBelow">;
  readonly markers: ReadMarkers;
  readonly changes: SqliteChangeFeed;
}

/** The reading position of a user in a room. */
export function readingOf({ sql, markers }: ReadingDeps, groupId: number, userId: number): RoomReading {
  const read = markers.find(groupId, userId);
  const [newest = null] = sql.page.all(groupId, Number.MAX_SAFE_INTEGER, 1);
  const readUpTo = read === 0 ? 0 : sql.idAt.only(groupId, read);
  const above = (newest?.seq ?? 0) - read;
  return { readUpTo, unread: above === 0 ? 0 : above - sql.notices.only(groupId, read), newest };
}

/** Moves a marker forward. Only call it in a transaction. */
export function markRead(
  deps: ReadingDeps,
  { groupId, userId, upTo }: Parameters<MessageStore["markRead"]>[0],
): MarkedRead {
  const moved = deps.markers.move(groupId, userId, deps.sql.seqBelow.one(groupId, upTo + 1) ?? 0);
  const { readUpTo, unread } = readingOf(deps, groupId, userId);
  if (moved) deps.changes.record("marker", `${groupId}/${userId}/${readUpTo}`);
  return { moved, readUpTo, unread };
}

/** The number of messages above the marker of a user that mention the user. */
export const mentionsOf = ({ sql, markers }: ReadingDeps, groupId: number, userId: number): number =>
  sql.mentions.only(groupId, markers.find(groupId, userId), ` ${userId} `);
