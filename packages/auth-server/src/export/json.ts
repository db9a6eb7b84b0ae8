/** JSON in pieces: a value is written while its parts are read, so that no more than one page of them is in memory. */
export type JsonPieces = AsyncIterable<string>;

/** A page of a list, and where the next one begins; null after the last one. */
interface Page<T, Cursor> {
  readonly list: readonly T[];
  readonly next: Cursor | null;
}

/** The items of a list that comes in pages. */
export async function* itemsOf<T, Cursor>(
  fetch: (cursor: Cursor | undefined) => Promise<Page<T, Cursor>>,
): AsyncIterable<T> {
  let cursor: Cursor | undefined;
  for (;;) {
    const { list, next }: Page<T, Cursor> = await fetch(cursor);
    yield* list;
    if (next === null) return;
    cursor = next;
  }
}

async function* pieceOf(item: unknown): JsonPieces {
  yield await Promise.resolve(JSON.stringify(item));
}

/** An array of items. */
export async function* arrayOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  write: (item: T) => JsonPieces = pieceOf,
): JsonPieces {
  let before = "[";
  for await (const item of items) {
    yield before;
    yield* write(item);
    before = ",\n";
  }
  yield before === "[" ? "[]" : "]";
}

/** An object with fields that are known, at least one, and others whose values come in pieces. */
export async function* objectOf(fields: object, parts: Readonly<Record<string, JsonPieces>>): JsonPieces {
  yield JSON.stringify(fields).slice(0, -1);
  for (const [name, pieces] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}:`;
    yield* pieces;
  }
  yield "}";
}

/** Characters that are collected before they are sent. */
const chunkSize = 16_384;

/** The pieces as UTF-8, in chunks. Throws what `assertGoesOn` throws. */
export async function* bytesOf(pieces: JsonPieces, assertGoesOn: () => void): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  let chunk = "";
  for await (const piece of pieces) {
    assertGoesOn();
    chunk += piece;
    if (chunk.length < chunkSize) continue;
    yield encoder.encode(chunk);
    chunk = "";
  }
  yield encoder.encode(chunk);
}
