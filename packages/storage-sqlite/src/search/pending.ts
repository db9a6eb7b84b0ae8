import type { Database } from "../database.ts";
import type { TransactionHooks } from "../group-commit.ts";
import { signatureBytes } from "./signature.ts";
import { chunkOf, messagesPerChunk, type Placed } from "./tables.ts";

/** Signatures of neighbours in one chunk. */
interface Run {
  readonly groupId: number;
  readonly chunk: number;
  /** The place in the chunk of the first one. */
  readonly first: number;
  count: number;
  /** A whole chunk, with zeros in all other places. */
  readonly bits: Uint8Array;
}

const amended = "CAST(substr(bits, 1, ?) || ? || substr(bits, ?) AS BLOB)";

const prepare = (database: Database) => ({
  amend: database.command(`UPDATE message_signatures SET bits = ${amended} WHERE group_id = ? AND chunk = ?`),
  put: database.command(`INSERT INTO message_signatures (group_id, chunk, bits) VALUES (?, ?, ?)
    ON CONFLICT (group_id, chunk) DO UPDATE SET bits = ${amended}`),
});

/** The signatures of one transaction, which are written at its end: those of one chunk together. */
export class PendingSignatures implements TransactionHooks {
  readonly #sql: ReturnType<typeof prepare>;
  #runs: Run[] = [];
  /** The last run of each room. */
  readonly #last = new Map<number, Run>();

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Gives a message its signature. Only in the transaction that stores it. */
  add({ groupId, seq }: Placed, signature: Uint8Array): void {
    const { chunk, slot } = chunkOf(seq);
    const last = this.#last.get(groupId);
    if (last?.chunk === chunk && last.first + last.count === slot) {
      last.bits.set(signature, slot * signatureBytes);
      last.count += 1;
      return;
    }
    const bits = new Uint8Array(messagesPerChunk * signatureBytes);
    bits.set(signature, slot * signatureBytes);
    const run = { groupId, chunk, first: slot, count: 1, bits };
    this.#runs.push(run);
    this.#last.set(groupId, run);
  }

  ending(): void {
    for (const run of this.#runs) this.#write(run);
  }

  ended(): void {
    this.#runs = [];
    this.#last.clear();
  }

  /** A chunk may be there already, with messages of earlier transactions. */
  #write({ groupId, chunk, first, count, bits }: Run): void {
    const from = first * signatureBytes;
    const to = from + count * signatureBytes;
    const own = bits.subarray(from, to);
    if (first > 0 && this.#sql.amend(from, own, to + 1, groupId, chunk) > 0) return;
    this.#sql.put(groupId, chunk, bits, from, own, to + 1);
  }
}
