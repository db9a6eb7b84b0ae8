import { useEffect, useRef, useState } from "preact/hooks";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { FindPeople, Person } from "../state/people.ts";
import { typingPause } from "../../base/typing-pause.ts";

interface Found {
  /** Null before the first result. */
  readonly people: readonly Person[] | null;
  readonly problem: Problem | null;
}

/** The people who match the typed text. A new search cancels the earlier one, whichever response arrives first. */
export function useFound(find: FindPeople, typed: string): Found {
  const [result, setResult] = useState<Found>({ people: null, problem: null });
  const latest = useRef(0);
  useEffect(() => {
    const run = (latest.current += 1);
    const show = (news: Found): void => {
      if (run === latest.current) setResult(news);
    };
    const search = (): void =>
      void find(typed).then(
        (people) => show({ people, problem: null }),
        (error: unknown) => show({ people: [], problem: problemOf(error) }),
      );
    const timer = setTimeout(search, typed === "" ? 0 : typingPause);
    return () => clearTimeout(timer);
  }, [find, typed]);
  return result;
}
