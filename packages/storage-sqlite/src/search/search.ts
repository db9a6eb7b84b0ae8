import { setImmediate as nextTick } from "node:timers/promises";
import { type MessageRecord, type MessageSearch, type MessagesFound, NewestFirst } from "@telex/core/storage";
import type { Database } from "../database.ts";
import { RoomWalks, type Step, type Wanted } from "./room-walk.ts";
import { bitsOf } from "./signature.ts";
import { prepareSearch, type RoomIndex } from "./tables.ts";

/** What one call may do, in the units of `room-walk.ts`: a bit more than a millisecond. */
const workOfCall = 200;
/** Rooms whose newest message is looked for in one tick. */
const roomsOfTick = 500;
/** So many messages without terms are not complete. */
const manyUnindexed = 1000;

/** The newest message of a room that is looked at. */
interface Top {
  readonly groupId: number;
  readonly seq: number;
  readonly id: number;
}

/** A room that is searched. */
interface Walk {
  position: number;
  readonly top: Top;
  /** Null before the first step. */
  steps: Generator<Step, void> | null;
}

/** Searches messages by their signatures, and reads those that have none. A call is a bounded amount of work. */
export class SignatureSearch {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepareSearch>;
  readonly #walks: RoomWalks;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepareSearch(database);
    this.#walks = new RoomWalks(database);
  }

  /** See `MessageStore.search`. */
  async search(asked: MessageSearch): Promise<MessagesFound> {
    const tops = await this.#topsOf(asked);
    const wanted = { asked, bits: bitsOf(asked.words), work: { spent: 0 } };
    return this.#database.readTogether(() => this.#searchBelow(tops, wanted));
  }

  /** What comes to these rooms meanwhile is newer than the call. */
  async #topsOf({ groupIds, before }: MessageSearch): Promise<readonly Top[]> {
    const rooms = [...new Set(groupIds)];
    const tops: Top[] = [];
    for (let at = 0; at < rooms.length; at += roomsOfTick) {
      if (at > 0) await nextTick();
      const some = JSON.stringify(rooms.slice(at, at + roomsOfTick));
      tops.push(...(await this.#database.read(() => this.#sql.tops.all(some, before ?? Number.MAX_SAFE_INTEGER))));
    }
    return tops;
  }

  #searchBelow(tops: readonly Top[], wanted: Wanted): MessagesFound {
    const walks = new NewestFirst(tops.map((top): Walk => ({ position: top.id + 1, top, steps: null })));
    const start = walks.floor;
    const found: MessageRecord[] = [];
    const rooms: RoomIndex[] = [];
    let withTerms = 0;
    // The position must move, or the next call would do the same.
    while (walks.floor === start || (wanted.work.spent < workOfCall && withTerms < wanted.asked.limit)) {
      const walk = walks.take();
      if (walk === undefined) break;
      walk.steps ??= this.#begin(walk.top, rooms, wanted);
      const { done, value: step } = walk.steps.next();
      if (done === true) continue;
      if (step.message !== null) found.push(step.message);
      if (step.message !== null && step.hasTerms) withTerms += 1;
      walk.position = step.position;
      walks.put(walk);
    }
    const { floor } = walks;
    return {
      messages: found.filter(({ id }) => id >= floor).toSorted((a, b) => b.id - a.id),
      next: floor === 0 ? null : floor,
      isComplete: rooms.every(({ ready, indexed }) => ready - indexed < manyUnindexed),
    };
  }

  #begin({ groupId, seq }: Top, rooms: RoomIndex[], wanted: Wanted): Generator<Step, void> {
    wanted.work.spent += 1;
    const room = this.#sql.room.one(groupId) ?? { groupId, ready: 0, indexed: 0, blocks: 0 };
    rooms.push(room);
    return this.#walks.down(room, seq, wanted);
  }
}
