/** What one subject did in one round: named figures. */
export type Measurement = Readonly<Record<string, number>>;

/** A program that is measured: Telex, or the limit that does only the unavoidable work. */
export interface Subject {
  readonly name: string;
  /** One round on fresh state. Throws where the result was wrong: a wrong round has no figures. */
  round(): Promise<Measurement>;
}

/**
 * Requests that a server answers before it is measured: by then V8 has compiled what it uses, as in a server that has run for some
 * minutes. The same for Telex and for its limits.
 */
export const warmRequests = 40_000;

/** What is to be done, and by whom. The first subject is the limit, where there is one. */
export interface Workload {
  readonly name: string;
  /** What is measured, for the reader of the table. */
  readonly about: string;
  readonly subjects: readonly Subject[];
}
