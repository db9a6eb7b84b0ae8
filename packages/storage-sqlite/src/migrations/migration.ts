/** A step from one version of the database to the next. */
export interface Migration {
  /** 1 and above, without holes. */
  readonly version: number;
  /** What it is about, for `telex migrate status`. */
  readonly name: string;
  /** The statements from the version before to this one. */
  readonly up: string;
  /** The statements back, or null where there is nothing to go back to. */
  readonly down: string | null;
}
