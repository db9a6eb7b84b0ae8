import type { UploadReservation, UploadShare } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer, integerOrNull } from "../engine/rows.ts";

const prepare = (database: Database) => ({
  expire: database.command("DELETE FROM upload_shares WHERE until <= ?"),
  sum: database.query(
    "SELECT coalesce(sum(bytes), 0) AS bytes, min(until) AS free_at FROM upload_shares WHERE uploader = ? AND bytes > 0",
    (row) => ({ bytes: integer(row, "bytes"), freeAt: integerOrNull(row, "free_at") }),
  ),
  add: database.command(`
    INSERT INTO upload_shares (uploader, until, bytes) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes`),
  release: database.command("UPDATE upload_shares SET bytes = max(0, bytes - ?) WHERE uploader = ? AND until = ?"),
});

/** Bytes of uploads that count towards a share. Only call the methods in a transaction. */
export class UploadShares {
  readonly #shares: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#shares = prepare(database);
  }

  reserve({ uploader, until, bytes }: UploadShare, max: number, now: number): UploadReservation {
    this.#shares.expire(now);
    const counting = this.#shares.sum.only(uploader);
    if (counting.bytes + bytes > max) return { outcome: "used_up", freeAt: Math.min(until, counting.freeAt ?? until) };
    this.#shares.add(uploader, until, bytes);
    return { outcome: "reserved" };
  }

  release({ uploader, until, bytes }: UploadShare): void {
    this.#shares.release(bytes, uploader, until);
  }
}
