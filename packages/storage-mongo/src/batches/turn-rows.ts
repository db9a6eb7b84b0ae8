import type { ClientSession, Db } from "mongodb";
import { collectionOf } from "../driver/collections.ts";
import { isDuplicate } from "../driver/errors.ts";
import { inTime } from "../driver/in-time.ts";

/** Milliseconds that a command about turns may take. */
const mostTime = 2000;
/** Maximum roots that are listed. */
const mostListed = 1000;

/** An election may undo these writes. A server then waits for a while and runs as if it did not share the root. */
const fastWrite = { writeConcern: { w: 1, journal: false } } as const;
const newest = { readConcern: { level: "local" } } as const;

/** Whose turn it is. */
export interface Served {
  /** The ticket whose turn it is, or a later one. */
  readonly serving: number;
  /** Milliseconds that the previous turn took. */
  readonly took: number;
}

/** The queues of servers that write to one root. A ticket is a position in a queue. */
export interface TurnRows {
  readonly takeTicket: (root: string) => Promise<number>;
  readonly served: (root: string) => Promise<Served>;
  /** Ends all turns before a ticket; with a session, in its transaction. */
  readonly serve: (root: string, ticket: number, took: number, session?: ClientSession) => Promise<void>;
  /** Ends all turns before a ticket, because they take too long. */
  readonly overtake: (root: string, ticket: number) => Promise<void>;
  /** Removes a queue. False if another server has taken a ticket after this one. */
  readonly forget: (root: string, ticket: number) => Promise<boolean>;
  /** The roots that have queues. */
  readonly list: () => Promise<ReadonlySet<string>>;
}

/** Tickets have their own collection, so that taking one does not wait for the transaction that ends a turn. */
export function createTurnRows(db: Db, now: () => number): TurnRows {
  const tickets = collectionOf(db, "tickets");
  const turns = collectionOf(db, "turns");
  const take = async (root: string): Promise<number | null> => {
    const change = { $inc: { next: 1 }, $set: { at: now() } };
    const options = { ...fastWrite, returnDocument: "after" } as const;
    return (await inTime(mostTime, tickets.findOneAndUpdate({ _id: root }, change, options)))?.next ?? null;
  };
  /** An upsert in `take` would be wrong: of two simultaneous ones, one would not learn its ticket. */
  const begin = async (root: string): Promise<void> => {
    await inTime(mostTime, tickets.insertOne({ _id: root, next: 0, at: now() }, fastWrite)).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
  };
  return {
    async takeTicket(root) {
      const next = (await take(root)) ?? (await begin(root).then(() => take(root)));
      if (next === null) throw new Error("A new queue is missing.");
      return next - 1;
    },
    async served(root) {
      const row = await inTime(mostTime, turns.findOne({ _id: root }, newest));
      return row ?? { serving: 0, took: 0 };
    },
    async serve(root, ticket, took, session) {
      const change = { $max: { serving: ticket }, $set: { took, at: now() } };
      const options = session === undefined ? fastWrite : { session };
      await turns.updateOne({ _id: root }, change, { ...options, upsert: true });
    },
    async overtake(root, ticket) {
      const change = { $max: { serving: ticket }, $set: { at: now() } };
      await inTime(mostTime, turns.updateOne({ _id: root }, change, { ...fastWrite, upsert: true }));
    },
    async forget(root, ticket) {
      const { deletedCount } = await tickets.deleteOne({ _id: root, next: ticket + 1 }, fastWrite);
      if (deletedCount === 1) await turns.deleteOne({ _id: root, serving: ticket + 1 }, fastWrite);
      return deletedCount === 1;
    },
    async list() {
      const found = tickets.find({}, { ...newest, projection: { _id: 1 }, limit: mostListed });
      return new Set((await inTime(mostTime, found.toArray())).map(({ _id }) => _id));
    },
  };
}
