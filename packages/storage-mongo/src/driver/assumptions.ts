import type { Document } from "mongodb";
import type { CollectionName, DocumentId, Documents } from "./documents.ts";
import type { Guesses } from "./guesses.ts";
import type { Ref } from "./ref.ts";
import { keyOf } from "./writes.ts";

/** A guess about a document. */
export interface Assumption {
  readonly ref: Ref;
  readonly guess: Documents["heads"] | null;
}

/** The guesses of a transaction about documents that it has not written. Without `guesses`, it makes none. */
export function createAssumptions(guesses: Guesses | null) {
  const open = new Map<string, Assumption>();
  const heads = new Set<DocumentId>();
  let hasGuessed = false;
  const guessOf = ({ name, id, guess }: Ref): Assumption["guess"] | undefined => {
    if (guess === "absent") return null;
    return guess === "kept" && name === "heads" ? guesses?.find(id) : undefined;
  };
  return {
    hasGuessed: (): boolean => hasGuessed,
    /** A guess was wrong: the next transactions read these heads. */
    noteWrong: (): void => heads.forEach((id) => guesses?.noteWrong(id)),
    /** The guess, or undefined if the document must be read. */
    add(ref: Ref): Assumption["guess"] | undefined {
      const guess = guesses === null ? undefined : guessOf(ref);
      if (guess === undefined) return undefined;
      hasGuessed = true;
      if (guess !== null) heads.add(ref.id);
      open.set(keyOf(ref.name, ref.id), { ref, guess });
      return guess;
    },
    /** The document is about to be written: the write must contain the guess. */
    take(name: CollectionName, id: DocumentId): { readonly expected?: Assumption["guess"] } {
      if (open.size === 0) return {};
      const key = keyOf(name, id);
      const assumption = open.get(key);
      open.delete(key);
      return assumption === undefined ? {} : { expected: assumption.guess };
    },
    /** The guesses about documents that the transaction did not write. */
    takeAll(): readonly Assumption[] {
      const all = [...open.values()];
      open.clear();
      return all;
    },
  };
}

export type Assumptions = ReturnType<typeof createAssumptions>;

export const matchesGuess = (guess: Assumption["guess"], document: Document | null): boolean =>
  guess === null
    ? document === null
    : Object.entries(guess).every(([field, value]: [string, unknown]) => document?.[field] === value);
