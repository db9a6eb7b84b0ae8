import { useApp, useTexts } from "../../app/context.ts";
import { problemOf } from "../../server/problem.ts";

/** The text for the error of a call. */
export function useProblemText(): (error: unknown) => string {
  const texts = useTexts();
  return (error) => texts.problem[problemOf(error)];
}

/** Says that work is done, if there are words for that, or why it failed. Resolves to whether it is done. */
export function useTelling(wordsOf: (error: unknown) => string) {
  const { notices } = useApp();
  return async (work: Promise<void>, done?: string): Promise<boolean> => {
    const failure = await work.then(() => null, wordsOf);
    const said = failure ?? done;
    if (said !== undefined) notices.say(said);
    return failure === null;
  };
}
