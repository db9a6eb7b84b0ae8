import type { MessageRecord } from "@telex/core/storage";
import type { Command, Database, Query } from "../engine/database.ts";
import { integer } from "../engine/rows.ts";

/** How far users have read rooms: the position (`seq`) of the newest message that each has read, by which unread messages are counted. */
export class ReadMarkers {
  readonly #find: Query<number>;
  readonly #raise: Command;

  constructor(database: Database) {
    this.#find = database.query("SELECT seq FROM read_markers WHERE group_id = ? AND user_id = ?", (row) =>
      integer(row, "seq"),
    );
    this.#raise = database.command(`
      INSERT INTO read_markers (group_id, user_id, seq) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq`);
  }

  /** The position up to which a user has read a room, or 0. */
  find(groupId: number, userId: number): number {
    return this.#find.one(groupId, userId) ?? 0;
  }

  /** Marks the room as read by the sender of a message up to it. Only call it in a transaction. */
  readOwn({ external, groupId, userId, seq, notice }: MessageRecord): void {
    if (!external && notice === null) this.#raise(groupId, Number(userId), seq);
  }

  /** Moves a marker forward. False if it is already there or further. Only call it in a transaction. */
  move(groupId: number, userId: number, seq: number): boolean {
    return seq > 0 && this.#raise(groupId, userId, seq) > 0;
  }
}
