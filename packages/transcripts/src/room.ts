/** A message of a chat room, with the fields that a model gets. */
export interface RoomMessage {
  readonly id: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** The user who sent it; null for a person of an external network. */
  readonly userId: number | null;
  readonly name: string;
  /** Plain text, with a word for each picture and file. */
  readonly text: string;
  /** The id of the message that it answers, or null. */
  readonly quotes: number | null;
  /** Its pictures, by names that {@link RoomSource.readPicture} knows. */
  readonly pictures: readonly string[];
}

/** Reads the messages of one chat room. */
export interface RoomSource {
  /** The newest messages with an id below `before` (of all when null), newest first: at most `limit`, and fewer only at the beginning. */
  readonly page: (before: number | null, limit: number) => Promise<readonly RoomMessage[]>;
  /** The message with this id, or null. */
  readonly find: (id: number) => Promise<RoomMessage | null>;
  /** A picture as a `data:` address; null if it is gone or cannot be read. */
  readonly readPicture: (name: string) => Promise<string | null>;
}

/** The properties of a model that a transcript depends on. */
export interface Reader {
  /** Maximum tokens of prompt and reply together. */
  readonly contextTokens: number;
  readonly takesImages?: boolean | undefined;
  readonly countTokens: (text: string) => number;
}
