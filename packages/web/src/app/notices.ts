import { type ReadonlySignal, signal } from "@preact/signals";

/** Short messages about the last action. Owns the message that is shown. */
export interface Notices {
  readonly shown: ReadonlySignal<string>;
  readonly show: (sentence: string) => void;
}

/** Milliseconds for which the page shows a notice. */
const stay = 6000;

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
