/** A step from one version of the database to the next. */
export interface Migration {
  /** 1 and above, without gaps. */
  readonly version: number;
  /**
   * The lowest version of a program that can work on the database afterwards: below this version if the step only adds parts that older
   * programs ignore. Default: this version.
   */
  readonly readableFrom?: number;
  /** The subject of the migration, for `telex migrate status`. */
  readonly name: string;
  /** The statements from the previous version to this one. */
  readonly up: string;
  /** The statements that undo it, or null if it cannot be undone. */
  readonly down: string | null;
}
