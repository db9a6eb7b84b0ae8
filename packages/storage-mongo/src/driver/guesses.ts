import type { DocumentId, Documents } from "./documents.ts";

type Head = Documents["heads"];

/** Maximum number of rooms whose heads are cached. */
const mostKept = 10_000;
/** After a wrong guess, the head of a room is read for this many of its transactions: another server writes there, too. */
const readAfterWrong = 16;

/** Heads of rooms as this server has written them last. They are only guesses: the others may have written since. */
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

/** Keeps a guess as the one that was used last, and forgets the one that was not used for longest. */
function putNewest(kept: Map<DocumentId, Guess>, groupId: DocumentId, guess: Guess): void {
  kept.delete(groupId);
  kept.set(groupId, guess);
  if (kept.size > mostKept) for (const oldest of kept.keys().take(1)) kept.delete(oldest);
}

/** Keeps the heads of the rooms that were written last. */
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
