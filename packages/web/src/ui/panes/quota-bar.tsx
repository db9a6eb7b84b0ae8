interface QuotaBarProps {
  /** The part of the quota that the words tell: the used part, or the part that is left. */
  readonly part: number;
  readonly max: number;
  readonly words: string;
}

/** A bar that shows a part of a quota. */
export const QuotaBar = ({ part, max, words }: QuotaBarProps) => (
  <progress aria-label={words} max={Math.max(1, max)} value={Math.min(part, max)} />
);
