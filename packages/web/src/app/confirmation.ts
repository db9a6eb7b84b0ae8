import { type ReadonlySignal, signal } from "@preact/signals";

/** Asks a person to confirm when the server requires it. Owns the open question. */
export interface Confirmation {
  /** Answers the open question: true if the person has confirmed. Null if no question is open. */
  readonly open: ReadonlySignal<((confirmed: boolean) => void) | null>;
  /** Asks, and resolves with the answer. Simultaneous callers share one question. */
  readonly ask: () => Promise<boolean>;
}

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
