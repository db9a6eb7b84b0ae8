import { useState } from "preact/hooks";
import { type Problem, problemOf } from "../session/problem.ts";

/** Something that is asked of the server, once at a time. */
export interface Task {
  readonly busy: boolean;
  readonly problem: Problem | null;
  /** Does it; what goes wrong becomes `problem`. */
  readonly run: (work: () => Promise<void>) => void;
}

/** Nothing is being asked. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const perform = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { busy, problem, run: (work) => void perform(work) };
}
