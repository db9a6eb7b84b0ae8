import { type ReadonlySignal, signal } from "@preact/signals";

/** Asks a person for their password when the server wants it confirmed. Owns the question that is open. */
export interface Confirmation {
  /** Answers the open question: true if the server has accepted the password. Null if none is open. */
  readonly open: ReadonlySignal<((confirmed: boolean) => void) | null>;
  /** Asks, and resolves with the answer. Simultaneous callers share one question. */
  readonly ask: () => Promise<boolean>;
}

/** No question is open. */
export function createConfirmation(): Confirmation {
  const open = signal<((confirmed: boolean) => void) | null>(null);
  let pending: Promise<boolean> | null = null;
  const begin = (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    open.value = (confirmed) => {
      open.value = null;
      pending = null;
      resolve(confirmed);
    };
    return promise;
  };
  return { open, ask: () => (pending ??= begin()) };
}
