import type { MessageRecord, MessageSearch } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { prepareMessages } from "../sql/messages.ts";
import { searchBlock } from "./block-search.ts";
import { type BitQuery, hasBits, signatureBytes } from "./signature.ts";
import {
  blockOf,
  chunkOf,
  messagesPerBlock,
  messagesPerChunk,
  prepareSearch,
  type RoomIndex,
  type SignatureChunk,
} from "./tables.ts";

/*
 * Work is counted in statements that find one row: a few microseconds each.
 */

/** Reading a message and searching its text. */
const workOfMessage = 4;
/** UTF-16 units of a message that are as much work as one statement. */
const textOfWork = 1024;
/** Comparing one bit of a signature. */
const workOfBit = 1 / 400;

/** Messages without terms that one statement reads. */
const messagesTogether = 16;
/** Chunks that one statement reads. */
const chunksTogether = 16;

/** The work of one call so far. */
interface Work {
  spent: number;
}

/** One step down through a room. */
export interface Step {
  /** All messages of the room with this id or a greater one have been searched. */
  readonly position: number;
  /** A possible match, or null. */
  readonly message: MessageRecord | null;
  readonly hasTerms: boolean;
}

const prepare = (database: Database) => {
  const { at, page } = prepareMessages(database);
  return { at, page, ...prepareSearch(database) };
};

/** The query. */
export interface Wanted {
  readonly asked: MessageSearch;
  readonly bits: BitQuery;
  readonly work: Work;
}

const workOf = ({ content, pinyin }: MessageRecord): number =>
  workOfMessage + (content.length + pinyin.length) / textOfWork;

const isInTime = ({ createTime }: MessageRecord, { createdAfter, createdBefore }: MessageSearch): boolean =>
  createTime > (createdAfter ?? Number.NEGATIVE_INFINITY) && createTime < (createdBefore ?? Number.POSITIVE_INFINITY);

/** Walks down through the messages of rooms. A walk must read from one state of the database. */
export class RoomWalks {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** From the message with the position `top` down: messages without terms, then chunks, then blocks. */
  *down(room: RoomIndex, top: number, wanted: Wanted): Generator<Step, void> {
    const inBlocks = room.blocks * messagesPerBlock;
    yield* this.#readEach(room, top, wanted);
    yield* this.#throughChunks({ groupId: room.groupId, top: Math.min(top, room.indexed), above: inBlocks }, wanted);
    for (let from = Math.min(top, inBlocks); from > 0; from = blockOf(from) * messagesPerBlock) {
      yield* this.#throughBlock({ groupId: room.groupId, block: blockOf(from), top: from }, wanted);
    }
  }

  *#readEach({ groupId, indexed }: RoomIndex, top: number, { asked, work }: Wanted): Generator<Step, void> {
    for (let at = top; at > indexed;) {
      const messages = this.#sql.page.all(groupId, at, Math.min(messagesTogether, at - indexed));
      const last = messages.at(-1)?.seq ?? 0;
      const recalled = new Set(this.#sql.recalled.all(groupId, last, at));
      work.spent += 2;
      for (const message of messages) {
        if (message.seq <= indexed) return;
        work.spent += workOf(message);
        const isOne = isInTime(message, asked) && !recalled.has(message.seq);
        yield { position: message.id, message: isOne ? message : null, hasTerms: false };
      }
      at = last - 1;
    }
  }

  *#throughChunks(
    { groupId, top, above }: { readonly groupId: number; readonly top: number; readonly above: number },
    wanted: Wanted,
  ): Generator<Step, void> {
    for (let at = top; at > above;) {
      const chunk = chunkOf(at);
      const from = Math.max(chunkOf(above + 1), chunk - chunksTogether + 1);
      for (const signatures of this.#sql.chunks.all(groupId, from, chunk)) {
        for (const seq of this.#inChunk(signatures, at, wanted)) yield this.#candidate(groupId, seq, wanted);
      }
      at = from * messagesPerChunk;
      yield this.#passed(groupId, at + 1, wanted);
    }
  }

  /** The positions of the matching messages of a chunk, from `top` down. */
  *#inChunk({ chunk, bits }: SignatureChunk, top: number, wanted: Wanted): Generator<number, void> {
    const { work } = wanted;
    work.spent += 1;
    const tested = (): void => void (work.spent += workOfBit);
    const first = chunk * messagesPerChunk + 1;
    for (let seq = Math.min(top, first + messagesPerChunk - 1); seq >= first; seq -= 1) {
      if (hasBits(bits, (seq - first) * signatureBytes, wanted.bits, tested)) yield seq;
    }
  }

  *#throughBlock(
    { groupId, block, top }: { readonly groupId: number; readonly block: number; readonly top: number },
    wanted: Wanted,
  ): Generator<Step, void> {
    const first = block * messagesPerBlock + 1;
    const readSlice = (bit: number): Uint8Array | null => {
      wanted.work.spent += 1;
      return this.#sql.slice.one(groupId, block, bit);
    };
    if (!this.#isOutOfTime(groupId, block, wanted)) {
      for (const number of searchBlock(wanted.bits, readSlice)) {
        if (first + number <= top) yield this.#candidate(groupId, first + number, wanted);
      }
    }
    yield this.#passed(groupId, first, wanted);
  }

  #isOutOfTime(groupId: number, block: number, { asked: { createdAfter, createdBefore }, work }: Wanted): boolean {
    if (createdAfter === null && createdBefore === null) return false;
    work.spent += 1;
    const { oldest, newest } = this.#sql.bounds.only(groupId, block);
    return newest <= (createdAfter ?? -1) || oldest >= (createdBefore ?? Number.MAX_SAFE_INTEGER);
  }

  #candidate(groupId: number, seq: number, { asked, work }: Wanted): Step {
    const message = this.#sql.at.only(groupId, seq);
    work.spent += workOf(message) + 1;
    const isOne = isInTime(message, asked) && this.#sql.recalled.one(groupId, seq, seq) === null;
    return { position: message.id, message: isOne ? message : null, hasTerms: true };
  }

  #passed(groupId: number, seq: number, { work }: Wanted): Step {
    work.spent += 1;
    return { position: this.#sql.idFrom.only(groupId, seq), message: null, hasTerms: true };
  }
}
