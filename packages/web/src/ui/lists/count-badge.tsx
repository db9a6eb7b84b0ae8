interface CountBadgeProps {
  readonly count: number;
  /** The meaning of the count, for screen readers. */
  readonly words: string;
  /** Stands before the number. Default: none. */
  readonly mark?: string;
  /** False where nothing of it is for the person in particular. Default true. */
  readonly isForYou?: boolean;
}

/** A count, such as that of unread messages. Hidden for 0. */
export function CountBadge({ count, words, mark = "", isForYou = true }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <span class={isForYou ? "count you" : "count"}>
      <span aria-hidden="true">{`${mark}${count > 99 ? "99+" : count}`}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}

/** How many things an entry has. Hidden for 0. */
export const CountMark = ({ count }: { readonly count: number }) =>
  count > 0 ? <span class="count">{count}</span> : null;
