/** The figures of one subject in one round, by name. */
export type Measurement = Readonly<Record<string, number>>;

/** A measured program: Telex, or the limit, which does only the necessary work. */
export interface Subject {
  readonly name: string;
  /** Runs one round on fresh state. Throws if the result is wrong, because a wrong round has no figures. */
  round(): Promise<Measurement>;
}

/**
 * Requests before the measurement. By then, V8 has compiled the code, as in a server that has run for some
 * minutes. The same for Telex and for its limits.
 */
export const warmRequests = 40_000;

/** A kind of work and its subjects. The first subject is the limit, if there is one. */
export interface Workload {
  readonly name: string;
  /** Explains the figures to readers of the table. */
  readonly about: string;
  readonly subjects: readonly Subject[];
}
