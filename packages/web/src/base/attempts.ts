import { type ReadonlySignal, signal } from "@preact/signals";

/** The state of repeated attempts. */
interface Attempts<P> {
  readonly loading: ReadonlySignal<boolean>;
  /** The error of the last attempt. Null during an attempt and after a success. */
  readonly problem: ReadonlySignal<P | null>;
  /** Never rejects. A failure is stored in `problem`. */
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
