import type { MessageRecord, MessageSearch, MessagesFound } from "@telex/core/storage";
import type { Database } from "../database.ts";
import { prepareMessages } from "../messages-sql.ts";
import { searchBlock } from "./block-search.ts";
import { type BitQuery, bitsOf, hasBits, signatureBytes } from "./signature.ts";
import { blockOf, chunkOf, messagesPerBlock, messagesPerChunk, prepareSearch } from "./tables.ts";

const prepare = (database: Database) => {
  const { at, idAt } = prepareMessages(database);
  return { at, idAt, ...prepareSearch(database) };
};

/** A room in which a search goes on below a message. */
interface SearchedRoom {
  readonly groupId: number;
  /** The newest message that is looked at. */
  readonly top: { readonly seq: number; readonly id: number };
  /** How many of the room's messages are in blocks. */
  readonly inBlocks: number;
}

/*
 * Work is counted in signatures of single messages that are compared. A message of a block costs less, a message that is read
 * costs more.
 */

/** What one call may do. */
const workOfCall = 16_384;
/** What a block takes. */
const workOfBlock = 128;
/** What reading a message takes. */
const workOfMessage = 8;
/** Chunks that are read together. */
const chunksTogether = 64;
/** How often the messages that a call looks at are made more, while there is work left. */
const mostWidenings = 4;

/** What one room gives to one call. */
interface RoomScan {
  readonly found: MessageRecord[];
  /** Every message with this id or a greater one was looked at. */
  readonly reached: number;
}

/** Searches messages by their signatures. Every call is one synchronous piece of bounded work. */
export class SignatureSearch {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** See `MessageStore.search`. All on one state of the database. */
  search(asked: MessageSearch): MessagesFound {
    const rooms = this.#roomsOf(asked);
    const query = bitsOf(asked.words);
    let floor = this.#floorOf(rooms);
    const found: MessageRecord[] = [];
    for (const room of rooms) {
      if (room.top.id < floor) continue;
      const scan = this.#scan(room, { asked, query, floor, work: this.#workFor(room, rooms.length, floor) });
      floor = Math.max(floor, scan.reached);
      found.push(...scan.found);
    }
    const messages = found.filter(({ id }) => id >= floor).toSorted((a, b) => b.id - a.id);
    const shown = messages.slice(0, asked.limit);
    const end = shown.length < messages.length ? (shown.at(-1)?.id ?? floor) : floor;
    return { messages: shown, next: end === 0 ? null : end, isComplete: this.#isComplete(asked.groupIds) };
  }

  #isComplete(groupIds: readonly number[]): boolean {
    return (
      this.#sql.firstBacklog.one() === null || groupIds.every((groupId) => this.#sql.backlogOf.one(groupId) === null)
    );
  }

  /** The rooms that have messages below the position, the one with the newest message first. */
  #roomsOf({ groupIds, before }: MessageSearch): readonly SearchedRoom[] {
    return [...new Set(groupIds)]
      .flatMap((groupId) => {
        const top = this.#sql.below.one(groupId, before ?? Number.MAX_SAFE_INTEGER);
        return top === null ? [] : [{ groupId, top, inBlocks: this.#inBlocks(groupId) }];
      })
      .toSorted((a, b) => b.top.id - a.top.id);
  }

  #inBlocks(groupId: number): number {
    return ((this.#sql.lastBlock.one(groupId) ?? -1) + 1) * messagesPerBlock;
  }

  /** The place of the oldest message of a room that has this id or a greater one. */
  #placeFrom({ groupId }: SearchedRoom, id: number): number {
    return id === 0 ? 1 : (this.#sql.below.one(groupId, id)?.seq ?? 0) + 1;
  }

  /** The work of looking at all messages of a room down to an id. */
  #workDownTo(room: SearchedRoom, id: number): number {
    const from = this.#placeFrom(room, id);
    const single = Math.max(0, room.top.seq - Math.max(room.inBlocks, from - 1));
    const inBlocks = Math.max(0, Math.min(room.top.seq, room.inBlocks) - from + 1);
    return single + (inBlocks / messagesPerBlock) * workOfBlock;
  }

  #workFor(room: SearchedRoom, rooms: number, floor: number): number {
    return rooms === 1 ? workOfCall : Math.max(workOfCall / rooms, 2 * this.#workDownTo(room, floor), workOfBlock);
  }

  /**
   * Down to which id several rooms are looked at in one call, so that all of them together are not more than the work of a call; 0
   * for everything. One room alone is looked at as long as there is work left.
   */
  #floorOf(rooms: readonly SearchedRoom[]): number {
    if (rooms.length < 2) return 0;
    const share = Math.max(8, Math.floor(workOfCall / rooms.length));
    let floor = Math.max(
      ...rooms.map(({ groupId, top }) => (top.seq > share ? this.#sql.idAt.only(groupId, top.seq - share) : 0)),
    );
    const before = (rooms[0]?.top.id ?? 0) + 1;
    for (let widenings = 0; floor > 0 && widenings < mostWidenings; widenings += 1) {
      const wider = Math.max(0, before - 8 * (before - floor));
      const work = rooms.reduce((sum, room) => sum + this.#workDownTo(room, wider), 0);
      if (work > workOfCall) break;
      floor = wider;
    }
    return floor;
  }

  #scan(
    room: SearchedRoom,
    {
      asked,
      query,
      floor,
      work,
    }: { readonly asked: MessageSearch; readonly query: BitQuery; readonly floor: number; readonly work: number },
  ): RoomScan {
    const { groupId } = room;
    const found: MessageRecord[] = [];
    const from = this.#placeFrom(room, floor);
    let done = 0;
    for (const step of this.#steps(room, from, asked, query)) {
      done += step.work;
      if (step.isCandidate) {
        const message = this.#read(groupId, step.seq, asked);
        if (message !== null) found.push(message);
      }
      const isEnough = found.length === asked.limit || done >= work;
      if (isEnough && step.seq > from) return { found, reached: this.#sql.idAt.only(groupId, step.seq) };
    }
    return { found, reached: 0 };
  }

  /** The message, if nothing but its text can speak against it. */
  #read(groupId: number, seq: number, { createdAfter, createdBefore }: MessageSearch): MessageRecord | null {
    const message = this.#sql.at.only(groupId, seq);
    if (createdAfter !== null && message.createTime <= createdAfter) return null;
    if (createdBefore !== null && message.createTime >= createdBefore) return null;
    return this.#sql.isRecalled.one(groupId, seq) === null ? message : null;
  }

  /** Goes down through a room: each step says how far, and at what work. */
  *#steps(room: SearchedRoom, from: number, asked: MessageSearch, query: BitQuery): Generator<Step> {
    yield* this.#singleSteps(room, Math.max(from, room.inBlocks + 1), query);
    let top = Math.min(room.top.seq, room.inBlocks);
    while (top >= from) {
      const block = blockOf(top);
      const first = block * messagesPerBlock + 1;
      yield* this.#blockSteps({ groupId: room.groupId, block, from, top }, asked, query);
      top = first - 1;
    }
  }

  *#singleSteps({ groupId, top }: SearchedRoom, from: number, query: BitQuery): Generator<Step> {
    const last = chunkOf(from).chunk;
    for (let chunk = chunkOf(top.seq).chunk; top.seq >= from && chunk >= last; chunk -= chunksTogether) {
      const lowest = Math.max(last, chunk - chunksTogether + 1);
      const matching = this.#sql.chunks
        .all(groupId, lowest, chunk)
        .flatMap(({ chunk: at, bits }) => [...slotsWith(bits, query)].map((slot) => at * messagesPerChunk + slot + 1));
      for (const seq of matching) {
        if (seq <= top.seq && seq >= from) yield { seq, isCandidate: true, work: workOfMessage };
      }
      const seq = Math.max(from, lowest * messagesPerChunk + 1);
      yield { seq, isCandidate: false, work: (chunk - lowest + 1) * messagesPerChunk };
    }
  }

  *#blockSteps(
    { groupId, block, from, top }: { groupId: number; block: number; from: number; top: number },
    { createdAfter, createdBefore }: MessageSearch,
    query: BitQuery,
  ): Generator<Step> {
    const first = block * messagesPerBlock + 1;
    const { oldest, newest } = this.#sql.bounds.only(groupId, block);
    const isOutside =
      (createdAfter !== null && newest <= createdAfter) || (createdBefore !== null && oldest >= createdBefore);
    if (!isOutside) {
      for (const number of searchBlock(query, (bit) => this.#sql.slice.one(groupId, block, bit))) {
        const seq = first + number;
        if (seq <= top && seq >= from) yield { seq, isCandidate: true, work: workOfMessage };
      }
    }
    yield { seq: Math.max(from, first), isCandidate: false, work: isOutside ? workOfMessage : workOfBlock };
  }
}

/** One step down through a room. */
interface Step {
  /** Down to this place everything was looked at. */
  readonly seq: number;
  /** Whether this message may be one. */
  readonly isCandidate: boolean;
  readonly work: number;
}

/** The messages of a chunk that have what is looked for, the newest first. */
function* slotsWith(bits: Uint8Array, query: BitQuery): Generator<number> {
  for (let slot = messagesPerChunk - 1; slot >= 0; slot -= 1) {
    if (hasBits(bits, slot * signatureBytes, query)) yield slot;
  }
}
