import type { DocumentId, Documents } from "./documents.ts";

type Head = Documents["heads"];

/** Maximum number of rooms whose heads are cached. */
const mostKept = 10_000;
/** After a wrong guess, this many transactions read the head of the room: another server writes there, too. */
const readAfterWrong = 16;

/** Heads of rooms as this server last wrote them. They are only guesses: other servers may have written since. */
export interface Guesses {
  readonly find: (groupId: DocumentId) => Head | undefined;
  /** A transaction with this head was committed. */
  readonly keep: (head: Head) => void;
  /** Another server has written. */
  readonly noteWrong: (groupId: DocumentId) => void;
}

interface Guess {
  readonly head: Head | null;
  readonly toRead: number;
}

/** Stores a guess as the most recently used one, and evicts the least recently used one if there are too many. */
function putNewest(kept: Map<DocumentId, Guess>, groupId: DocumentId, guess: Guess): void {
  kept.delete(groupId);
  kept.set(groupId, guess);
  if (kept.size > mostKept) for (const oldest of kept.keys().take(1)) kept.delete(oldest);
}

/** Keeps the heads of the most recently written rooms. */
export function createGuesses(): Guesses {
  const guesses = new Map<DocumentId, Guess>();
  const set = (groupId: DocumentId, head: Head | null, toRead: number): void =>
    putNewest(guesses, groupId, { head, toRead });
  return {
    find: (groupId) => guesses.get(groupId)?.head ?? undefined,
    keep(head) {
      const toRead = guesses.get(head._id)?.toRead ?? 0;
      if (toRead > 0) set(head._id, null, toRead - 1);
      else set(head._id, head, 0);
    },
    noteWrong: (groupId) => set(groupId, null, readAfterWrong),
  };
}
