import { type ReadonlySignal, signal } from "@preact/signals";

/** A sentence about the last action. Owns the one that is shown. */
export interface Notices {
  readonly shown: ReadonlySignal<string>;
  readonly show: (sentence: string) => void;
}

/** Milliseconds for which a sentence stays. */
const stay = 6000;

/** Nothing to say yet. */
export function createNotices(): Notices {
  const shown = signal("");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => {
    shown.value = "";
  };
  const show = (sentence: string): void => {
    clearTimeout(timer);
    shown.value = sentence;
    timer = setTimeout(clear, stay);
  };
  return { shown, show };
}
