/** A change that other processes, and caches in this one, must see. */
export interface Change {
  /** Increases; later changes have greater numbers. */
  readonly seq: number;
  /**
   * `token`: revoked. `user`: a user's fields. `members`: a room, its members or their cards. `device`: who holds an ID, or
   * its generation. `marker`: a user has read a room. `recall`, `amended`: a message of a room was recalled, or edited or reacted to. `bot`: an account of an external
   * network. `lease`: taken or released. `session`: ended before its time. `grant`: ended.
   */
  readonly kind:
    | "token"
    | "user"
    | "members"
    | "device"
    | "marker"
    | "recall"
    | "amended"
    | "bot"
    | "lease"
    | "session"
    | "grant";
  /**
   * The token's, user's, or room's id, the device ID, the name of the account or lease, or the id of the session or grant. For a marker the ids of the room, the user and the newest message that is
   * read, `7/3/41`; for a recall those of the room and the recall; for `amended` those of the room and the change.
   */
  readonly key: string;
}

/**
 * Changes in their order. They keep the caches of one process right when another process changes a record, such as an operator
 * command while a server runs. A change is visible here as soon as the verb that made it has resolved.
 */
export interface ChangeFeed {
  /** The number of the latest change, or 0. */
  latest(): Promise<number>;
  /**
   * Changes after `seq`, in order, at most 1000; null if one of them was removed. A change is kept for an hour or longer. A caller
   * that gets null cannot know what has changed: it reads everything again, and continues from `latest`.
   */
  since(seq: number): Promise<readonly Change[] | null>;
}
