import type { z } from "zod";
import { createPace } from "@telex/ground/concurrency";
import { imageName } from "../blobs/names.ts";
import type { UploadedFile } from "../records.ts";
import type { BucketContract } from "./contract.ts";
import { shownKind } from "./kinds.ts";

/**
 * Finds a word in names that spell it differently, such as pinyin in Chinese names. Yields the work of each part, in UTF-16 units that are read,
 * and finally returns null unless the name has the word.
 */
export type FindSpelled = (word: string) => (name: string) => Generator<number, object | null>;

type Wanted = Pick<z.output<BucketContract["files"]["input"]>, "query" | "kind">;

/** The work of one page, of a call in the rate of the caller, and of a tick: UTF-16 units that are read. */
const [workOfPage, workOfCharge, workOfTick] = [200_000, 32_768, 16_384];

/** The name of an upload: for one of an earlier version, by its content. */
export const nameOf = (file: UploadedFile): string =>
  file.name !== "" ? file.name : file.ext === "" ? file.md5 : imageName(file);

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

/** The words of a query, each once. */
const wordsOf = (query: string, find: FindSpelled) =>
  Array.from(new Set(fold(query).split(/\s+/)), (text) => ({ text, findIn: find(text) }));

function* hasWords(name: string, words: ReturnType<typeof wordsOf>): Generator<number, boolean> {
  const folded = fold(name);
  for (const { text, findIn } of words) if (!folded.includes(text) && (yield* findIn(name)) === null) return false;
  return true;
}

/** Looks for uploads of a kind that have all words of a query in their names, as one page does. */
export class NameSearch {
  readonly #kind: Wanted["kind"];
  readonly #words: ReturnType<typeof wordsOf>;
  readonly #pace = createPace(workOfTick);
  #work = 0;

  constructor({ query = "", kind }: Wanted, find: FindSpelled) {
    this.#kind = kind;
    this.#words = wordsOf(query, find);
  }

  /** True if the page has cost enough. */
  get isOver(): boolean {
    return this.#work >= workOfPage;
  }

  /** The cost of the page in the rate of the caller, in addition to the call. */
  get calls(): number {
    return Math.floor(this.#work / workOfCharge);
  }

  /** Other callers get their turn in between. */
  async isMatch(file: UploadedFile): Promise<boolean> {
    if (this.#kind !== undefined && shownKind(file) !== this.#kind) return false;
    const search = hasWords(nameOf(file), this.#words);
    let step = search.next();
    for (; step.done !== true; step = search.next()) await this.#count(step.value);
    return step.value;
  }

  #count(work: number): Promise<void> {
    this.#work += work;
    return this.#pace(work);
  }
}
