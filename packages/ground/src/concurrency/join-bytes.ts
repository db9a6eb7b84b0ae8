import { nextTick } from "./tick.ts";

/** Bytes that are copied in one tick: some tenths of a millisecond. */
const perTick = 1024 * 1024;

/** Copies pieces into one array, a part in each tick, so that large files do not block the event loop. */
export async function joinBytes(pieces: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  let rest = perTick;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + rest);
      joined.set(part, at);
      at += part.length;
      from += part.length;
      rest -= part.length;
      if (rest === 0) {
        await nextTick();
        rest = perTick;
      }
    }
  }
  return joined;
}
