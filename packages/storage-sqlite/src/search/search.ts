import { setImmediate as nextTick } from "node:timers/promises";
import type { MessageSearch, MessagesFound } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { Newest } from "./newest.ts";
import { RoomWalks, type Wanted } from "./room-walk.ts";
import { bitsOf } from "./signature.ts";
import { prepareSearch } from "./tables.ts";

/*
 * Work is counted in the units of `room-walk.ts`. The rooms are searched one after another, not message by message across all rooms: each
 * room costs several statements before its first message, which only pays off if it is searched without interruption.
 */

/** Maximum work of one call in one room, and in one tick: about a millisecond. */
const workOfRoom = 200;
/** Maximum work of one call in all its rooms. */
const workOfCall = 8000;
/** If the minimum work of all rooms exceeds this, those with the oldest messages are left to the next call. */
const mostOfCall = 2 * workOfCall;
/** Minimum work for each room, regardless of their number: its statements, and some messages. */
const leastOfRoom = 16;
/** Rooms whose newest message is read in one tick. */
const roomsOfTick = 500;
/** With this many messages without terms, a search is not complete. */
const manyUnindexed = 1000;

/** The newest message of a room that is being searched. */
interface Top {
  readonly groupId: number;
  readonly seq: number;
  readonly id: number;
}

/** A call in progress. */
interface Search {
  readonly wanted: Wanted;
  /** Maximum work for each room. */
  readonly share: number;
  readonly newest: Newest;
  unindexed: number;
}

/** Searches messages by their signatures, and reads those that have none. The work of a call is limited. */
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
  async search(query: MessageSearch): Promise<MessagesFound> {
    const tops = await this.#topsOf(query);
    const share = Math.min(workOfRoom, Math.max(leastOfRoom, workOfCall / tops.length));
    const wanted = { asked: query, bits: bitsOf(query.words), work: { spent: 0 } };
    const search: Search = { wanted, share, newest: new Newest(query.limit), unindexed: 0 };
    for (let at = 0; at < tops.length;) {
      if (at > 0) await nextTick();
      at = await this.#database.readTogether(() => this.#searchSome(search, tops, at));
    }
    const { messages, floor } = search.newest;
    return { messages, next: floor === 0 ? null : floor, isComplete: search.unindexed < manyUnindexed };
  }

  /** The rooms, the one with the newest message first. Messages that arrive during the call are not searched. */
  async #topsOf({ groupIds, before }: MessageSearch): Promise<readonly Top[]> {
    const rooms = [...new Set(groupIds)];
    const tops: Top[] = [];
    for (let at = 0; at < rooms.length; at += roomsOfTick) {
      if (at > 0) await nextTick();
      const some = JSON.stringify(rooms.slice(at, at + roomsOfTick));
      tops.push(...(await this.#database.read(() => this.#sql.tops.all(some, before ?? Number.MAX_SAFE_INTEGER))));
    }
    return tops.toSorted((a, b) => b.id - a.id);
  }

  /** Searches rooms for one tick. Returns the index of the next room, or their number if no other room has messages above the floor. */
  #searchSome(search: Search, tops: readonly Top[], from: number): number {
    const { newest, wanted } = search;
    const end = wanted.work.spent + workOfRoom;
    for (let at = from; ; at += 1) {
      const top = tops[at];
      if (top === undefined || top.id < newest.floor) return tops.length;
      if (wanted.work.spent >= mostOfCall) newest.stopAt(top.id + 1);
      else if (wanted.work.spent >= end) return at;
      else this.#searchRoom(search, top);
    }
  }

  /** Searches a room down to the floor, or as far as its share allows. The position must move, or the next call would do the same. */
  #searchRoom(search: Search, { groupId, seq, id }: Top): void {
    const { wanted, newest } = search;
    wanted.work.spent += 1;
    const end = wanted.work.spent + search.share;
    const room = this.#sql.room.one(groupId) ?? { groupId, ready: 0, indexed: 0, blocks: 0 };
    search.unindexed += room.ready - room.indexed;
    let withTerms = 0;
    for (const step of this.#walks.down(room, seq, wanted)) {
      newest.add(step);
      if (step.hasTerms && step.message !== null) withTerms += 1;
      const isEnough = wanted.work.spent >= end || withTerms >= wanted.asked.limit;
      if (isEnough && step.position <= id) newest.stopAt(step.position);
      if (step.position <= newest.floor) break;
    }
    newest.endRoom();
  }
}
