interface CountBadgeProps {
  readonly count: number;
  /** The meaning of the count, for screen readers. */
  readonly words: string;
  /** A prefix of the number. Default: none. */
  readonly mark?: string;
  /** False if none of the items mentions the person. Default: true. */
  readonly isForYou?: boolean;
}

/** A badge with a count, such as that of unread messages. Hidden for 0. */
export function CountBadge({ count, words, mark = "", isForYou = true }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <span class={isForYou ? "count you" : "count"}>
      <span aria-hidden="true">{`${mark}${count > 99 ? "99+" : count}`}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}

/** The number of items of an entry. Hidden for 0. */
export const CountMark = ({ count }: { readonly count: number }) =>
  count > 0 ? <span class="count">{count}</span> : null;
