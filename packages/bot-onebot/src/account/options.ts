/** An account of an external network. */
export interface OneBotAccount {
  /** Its name in this installation: the `bot` of its rooms. 1 to 64 characters. */
  readonly account: string;
  /**
   * The token that the implementation shows when it connects, as `Authorization: Bearer` or `?access_token=`; 1 to 512 characters of ASCII
   * without spaces. Null accepts a connection without one. No two accounts have the same.
   */
  readonly token: string | null;
  /** True for the account of the rooms of the types 0 and 3; one account at most. Default false: the types 4 and 5. */
  readonly isOfficial?: boolean;
  /** The network, 1 to 64 characters. It distinguishes ids of people that are not numbers. Default `qq`. */
  readonly network?: string;
  /**
   * The address of an implementation that waits for a connection: `ws://` or `wss://`. With `http://` or `https://` Telex sends
   * actions as requests, and the implementation posts its events at `/onebot/v11/webhook/<account>` or `/onebot/v12/webhook/<account>`,
   * signed with the token (`X-Signature`), or with the token. Default: it connects to Telex.
   */
  readonly connect?: string;
  /** The version of OneBot. Default: the one that the connection shows, otherwise 11. */
  readonly protocol?: 11 | 12;
  /** Milliseconds between the starts of two messages, 0 and above. Default 1200: networks sign out accounts that send too fast. */
  readonly minInterval?: number;
}
