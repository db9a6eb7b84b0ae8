import { useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { type Problem, problemOf } from "../../server/problem.ts";

/** Something that is asked of the server, once at a time. */
export interface Task {
  readonly busy: boolean;
  /** The error in words; null without one. */
  readonly error: string | null;
  /** Runs the task. A failure becomes `error`. */
  readonly run: (work: () => Promise<void>) => void;
}

export function useTask(): Task {
  const texts = useTexts();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const perform = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    await work().catch((error: unknown) => setProblem(problemOf(error)));
    setBusy(false);
  };
  return { busy, error: problem && texts.problem[problem], run: (work) => void perform(work) };
}
