import { useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import { useOnce } from "../actions/use-once.ts";

/** A call of the server, one at a time. */
interface Task {
  readonly busy: boolean;
  /** The text of the error, or null. */
  readonly error: string | null;
  /** Runs the task. A failure is stored in `error`. Does nothing while a task runs. */
  readonly run: (work: () => Promise<void>) => void;
}

export function useTask(): Task {
  const texts = useTexts();
  const { busy, once } = useOnce();
  const [problem, setProblem] = useState<Problem | null>(null);
  const perform = async (work: () => Promise<void>): Promise<void> => {
    setProblem(null);
    await work().catch((error: unknown) => setProblem(problemOf(error)));
  };
  return { busy, error: problem && texts.problem[problem], run: (work) => void once(() => perform(work)) };
}
