import { messageLine } from "./lines.ts";
import type { RoomMessage, RoomSource } from "./room.ts";

/** Maximum messages that are checked for one transcript, and that are read in one step. */
const looking = { most: 400, each: 100 };

/** The part of a room that a model reads. */
interface Stretch {
  /** Only messages with a greater id. */
  readonly after: number;
  /** Tokens of all lines together. */
  readonly tokens: number;
  readonly countTokens: (text: string) => number;
  /** Maximum pictures that are read, the newest first. */
  readonly pictures: number;
  /** False for a message that is left out. */
  readonly includes: (message: RoomMessage) => boolean;
}

/** A picture of a message. */
interface ToldPicture {
  readonly messageId: number;
  /** A `data:` address. */
  readonly image: string;
}

/** The newest messages of a range that fit. */
export interface Transcript {
  /** One line of JSON for each message, oldest first. */
  readonly lines: readonly string[];
  /** The messages of the lines. */
  readonly messages: readonly RoomMessage[];
  readonly pictures: readonly ToldPicture[];
  /** True if older messages of the range are left out. */
  readonly isCut: boolean;
}

/** The messages of a range, newest first; null if too many were checked. */
async function* newestFirst({ page }: RoomSource, { after, includes }: Stretch): AsyncGenerator<RoomMessage | null> {
  let before: number | null = null;
  for (let looked = 0; looked < looking.most; looked += looking.each) {
    const messages: readonly RoomMessage[] = await page(before, looking.each);
    for (const message of messages) {
      if (message.id <= after) return;
      if (includes(message)) yield message;
    }
    if (messages.length < looking.each) return;
    before = messages.at(-1)?.id ?? null;
  }
  yield null;
}

async function readPictures(
  { readPicture }: RoomSource,
  messages: readonly RoomMessage[],
  most: number,
): Promise<ToldPicture[]> {
  const all = messages.flatMap(({ id, pictures }) => pictures.map((name) => ({ id, name })));
  const newest = most === 0 ? [] : all.slice(-most);
  const read = await Promise.all(
    newest.map(async ({ id, name }) => ({ messageId: id, image: await readPicture(name) })),
  );
  return read.flatMap(({ messageId, image }) => (image === null ? [] : [{ messageId, image }]));
}

/** Reads the newest messages of a range that fit, with the messages that they quote, and their pictures. */
export async function readTranscript(source: RoomSource, stretch: Stretch): Promise<Transcript> {
  const lines: { readonly message: RoomMessage; readonly line: string }[] = [];
  let [left, isCut] = [stretch.tokens, false];
  for await (const message of newestFirst(source, stretch)) {
    const quoted = message === null || message.quotes === null ? null : await source.find(message.quotes);
    const line = message === null ? "" : messageLine(message, quoted);
    left -= stretch.countTokens(line);
    isCut = message === null || left < 0;
    if (message === null || left < 0) break;
    lines.unshift({ message, line });
  }
  const messages = lines.map(({ message }) => message);
  const pictures = await readPictures(source, messages, stretch.pictures);
  return { lines: lines.map(({ line }) => line), messages, pictures, isCut };
}
