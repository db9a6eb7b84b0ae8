/** What one subject did in one round: named figures. */
export type Measurement = Readonly<Record<string, number>>;

/** A program that is measured: Telex, or the limit that does only the unavoidable work. */
export interface Subject {
  readonly name: string;
  /** One round on fresh state. Throws where the result was wrong: a wrong round has no figures. */
  round(): Promise<Measurement>;
}

/** What is to be done, and by whom. The first subject is the limit, where there is one. */
export interface Workload {
  readonly name: string;
  /** What is measured, for the reader of the table. */
  readonly about: string;
  readonly subjects: readonly Subject[];
}
