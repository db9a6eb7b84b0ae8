import type { Db } from "mongodb";
import type { DatabaseClock } from "./database-clock.ts";
import type { Documents } from "../driver/documents.ts";
import { serverNumbers, type ServerNumber } from "./server-number.ts";
import type { Tx } from "../driver/transaction.ts";
import type { CounterName } from "@telex/core/storage";

/** Unix milliseconds of 2026-01-01: ids begin here. They stay safe integers until 2060. */
const epoch = 1_767_225_600_000;
/** Ids that one server can assign per millisecond before they run ahead of the clock. */
const perMillisecond = 16;

/** Milliseconds after which an id is too old to be stored: other rooms may have newer ones, which clients have seen. */
export const idLife = 5000;

/** Milliseconds until a message that the bus lost is read from the storage: two checks of core, which delivers nothing newer if they are late. */
const lostByBus = 5000;

/**
 * How far the id of a message can be below that of an earlier one in another room. All servers take the time from the primary, so their clocks
 * do not matter. Only after an election can two servers know different times, by up to the difference of the clocks of two members, until they
 * ask again. That is covered, too, unless a commit takes its full 5 s and the bus loses its event in the same minute.
 */
export const idOverlap = (idLife + lostByBus) * perMillisecond * serverNumbers;

/** Ids that follow the clock. The others have counters. */
type TimedName = "message" | "deviceMessage" | "conversationMessage";

export interface Ids {
  /**
   * The next id of a root whose greatest id is `newest`: the smallest one above it, and not behind the clock, that carries the
   * number of this server. No other server assigns the same one.
   */
  readonly next: (tx: Tx, name: TimedName, newest: number) => Promise<number>;
  /** The next value of a counter, in the transaction. */
  readonly count: (tx: Tx, name: CounterName) => Promise<number>;
  /** Reads the ids that other servers have assigned. */
  readonly load: () => Promise<void>;
}

/** The smallest value of at least `least` that carries a number. */
const carrying = (number: number, least: number): number => {
  const rest = least % serverNumbers;
  return least - rest + number + (rest > number ? serverNumbers : 0);
};

/** Ids of messages by time, and counters for everything else. */
export function createIds(db: Db, time: Pick<DatabaseClock, "now">, server: ServerNumber): Ids {
  /** The greatest id that was assigned, by any server. */
  const floors = new Map<string, number>();
  const raise = (name: string, value: number): void => {
    floors.set(name, Math.max(floors.get(name) ?? 0, value));
  };
  return {
    async next(tx, name, newest) {
      tx.noteId();
      const number = await server.current();
      const least = ((await time.now()) - epoch) * perMillisecond * serverNumbers;
      const id = carrying(number, Math.max(newest + 1, least, (floors.get(name) ?? 0) + 1));
      // Other roots on this server must not get the same one.
      raise(name, id);
      return id;
    },
    async count(tx, name) {
      const value = ((await tx.find("counters", name))?.value ?? 0) + 1;
      tx.put("counters", { _id: name, name, value });
      return value;
    },
    async load() {
      const counters = await db.collection("counters").find<Documents["counters"]>({}).toArray();
      for (const { name, value } of counters) raise(name, value);
    },
  };
}
