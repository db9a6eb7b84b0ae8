import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** The interval in which arrivals are announced together, in milliseconds. */
const burst = 1500;
/** The maximum length of an announced text. */
const readOut = 200;

interface AnnounceProps<T> {
  /** The newest arrival. Null before the first one. */
  readonly arrived: ReadonlySignal<T | null>;
  /** The announcement of a single arrival. `cut` shortens long texts. */
  readonly words: (arrived: T, cut: (text: string) => string) => string;
  /** The announcement of several arrivals. */
  readonly several: (count: number) => string;
}

const cut = (text: string): string => text.slice(0, readOut);

/** Collects arrivals until there is a pause, including those between two frames of the page. */
function onBursts<T>(arrived: AnnounceProps<T>["arrived"], announce: (burst: readonly T[]) => void): () => void {
  const existing = arrived.peek();
  const waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = arrived.subscribe((newest) => {
    if (newest === null || newest === existing) return;
    waiting.push(newest);
    clearTimeout(timer);
    timer = setTimeout(() => announce(waiting.splice(0)), burst);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

function useSaid<T>(props: AnnounceProps<T>): string {
  const said = useSignal("");
  const latest = useRef(props);
  latest.current = props;
  const { arrived } = props;
  useLayoutEffect(() => {
    const announce = ([only, ...others]: readonly T[]): void => {
      const { words, several } = latest.current;
      if (only !== undefined) said.value = others.length === 0 ? words(only, cut) : several(others.length + 1);
    };
    return onBursts(arrived, announce);
  }, [arrived]);
  return said.value;
}

/** Announces arrivals to screen readers: a single one with its text, several with their number. */
export function Announce<T>(props: AnnounceProps<T>) {
  const said = useSaid(props);
  return (
    <div class="unseen" aria-live="polite">
      {said}
    </div>
  );
}
