import type { MessageRecord } from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Command, Database, Query } from "./database.ts";
import { integer } from "./rows.ts";

/** A room as read by a user up to a place. */
interface Mark {
  readonly groupId: number;
  readonly userId: number;
  readonly seq: number;
}

/** How far users have read rooms: the place of the newest message that each has read. Unread messages are counted by places. */
export class ReadMarkers {
  readonly #changes: SqliteChangeFeed;
  readonly #find: Query<number>;
  readonly #raise: Command;

  constructor(database: Database, changes: SqliteChangeFeed) {
    this.#changes = changes;
    this.#find = database.query("SELECT seq FROM read_markers WHERE group_id = ? AND user_id = ?", (row) =>
      integer(row, "seq"),
    );
    this.#raise = database.command(`
      INSERT INTO read_markers (group_id, user_id, seq) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq`);
  }

  /** The place up to which a user has read a room, or 0. */
  find(groupId: number, userId: number): number {
    return this.#find.one(groupId, userId) ?? 0;
  }

  /** The sender of a message has read the room up to it. Only for a verb that runs in a transaction. */
  readOwn({ external, groupId, userId, seq }: Pick<MessageRecord, "external" | "groupId" | "userId" | "seq">): void {
    if (!external) this.#raise(groupId, Number(userId), seq);
  }

  /** Moves a marker forward, and reports it. Only for a verb that runs in a transaction. */
  move({ groupId, userId, seq }: Mark): boolean {
    const moved = seq > 0 && this.#raise(groupId, userId, seq) > 0;
    if (moved) this.#changes.record("marker", `${groupId}/${userId}`);
    return moved;
  }
}
