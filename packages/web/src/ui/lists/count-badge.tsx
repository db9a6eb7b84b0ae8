interface CountBadgeProps {
  readonly count: number;
  /** What the count means, for screen readers. */
  readonly words: string;
}

/** How many there are, such as unread messages. Nothing is shown for none. */
export function CountBadge({ count, words }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <span class="count">
      <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}
