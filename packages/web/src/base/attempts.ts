import { type ReadonlySignal, signal } from "@preact/signals";

/** Something that is tried, perhaps again and again. */
interface Attempts<P> {
  readonly loading: ReadonlySignal<boolean>;
  /** Why the last attempt failed; null while one is in progress, and after a success. */
  readonly problem: ReadonlySignal<P | null>;
  /** Never throws: a failure becomes `problem`. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

export function createAttempts<P>(problemOf: (error: unknown) => P): Attempts<P> {
  const loading = signal(false);
  const problem = signal<P | null>(null);
  const fail = (error: unknown): void => {
    problem.value = problemOf(error);
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    loading.value = true;
    problem.value = null;
    await work().catch(fail);
    loading.value = false;
  };
  return { loading, problem, attempt };
}
