import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Milliseconds over which arrivals are announced together. */
const burst = 1500;
/** Characters of an arrival that are read out. */
const readOut = 200;

/** What {@link Announce} needs. */
interface AnnounceProps<T> {
  /** The newest arrival; null before the first. */
  readonly arrived: T | null;
  /** What is read out of a single arrival. `cut` shortens what may be long. */
  readonly words: (arrived: T, cut: (text: string) => string) => string;
  /** What is read out if several arrived. */
  readonly several: (count: number) => string;
}

const cut = (text: string): string => text.slice(0, readOut);

/** What is said of the arrivals, a while after they came. */
function useSaid<T>({ arrived, words, several }: AnnounceProps<T>) {
  const said = useSignal("");
  const waiting = useRef<string[]>([]);
  useEffect(() => {
    if (arrived === null) return undefined;
    waiting.current.push(words(arrived, cut));
    const timer = setTimeout(() => {
      const [only = "", ...others] = waiting.current.splice(0);
      said.value = others.length === 0 ? only : several(others.length + 1);
    }, burst);
    return () => clearTimeout(timer);
  }, [arrived]);
  return said.value;
}

/** Announces arrivals to screen readers: a single one by its words, several by their number. */
export function Announce<T>(props: AnnounceProps<T>) {
  const said = useSaid(props);
  return (
    <div class="unseen" aria-live="polite">
      {said}
    </div>
  );
}
