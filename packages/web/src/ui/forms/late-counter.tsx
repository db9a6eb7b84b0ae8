import { useTexts } from "../../app/context.ts";
import { countCharacters } from "../../base/count.ts";

/** The maximum length of a text in code points, and the length at which the counter appears. */
export interface LengthLimit {
  readonly longest: number;
  readonly counted: number;
}

/** The length of a text in code points. For a text that is too short for the counter, it is not exact. */
export const lengthOf = (text: string, { counted }: LengthLimit): number =>
  text.length < counted ? text.length : countCharacters(text);

interface LateCounterProps {
  readonly used: number;
  readonly limit: LengthLimit;
  readonly look: string;
}

/** Shows how much of the maximum length is used, if a text comes close to it. */
export function LateCounter({ used, limit: { longest, counted }, look }: LateCounterProps) {
  const texts = useTexts();
  if (used < counted) return null;
  return (
    <p class={look} role="status">
      {texts.characters(used, longest)}
      {used > longest && <strong> {texts.tooLong(used - longest)}</strong>}
    </p>
  );
}
