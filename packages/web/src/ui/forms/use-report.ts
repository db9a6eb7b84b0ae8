import { useApp, useTexts } from "../../app/context.ts";
import { problemOf } from "../../server/problem.ts";

/** Returns a function that maps the error of a call to a text. */
export function useProblemText(): (error: unknown) => string {
  const texts = useTexts();
  return (error) => texts.problem[problemOf(error)];
}

/** Reports the success of work, if there is a text for it, or its failure. Resolves with true on success. */
export function useReport(wordsOf: (error: unknown) => string) {
  const { notices } = useApp();
  return async (work: Promise<void>, done?: string): Promise<boolean> => {
    const failure = await work.then(() => null, wordsOf);
    const said = failure ?? done;
    if (said !== undefined) notices.show(said);
    return failure === null;
  };
}
