import type { ComponentChildren } from "preact";
import { useAgo, useApp, useFormat } from "../../app/context.ts";

interface MomentProps {
  /** Unix milliseconds. */
  readonly at: number;
  readonly children: ComponentChildren;
}

/** A time in words, with the full date on hover. */
export function Moment({ at, children }: MomentProps) {
  const { full } = useFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={full(at)}>
      {children}
    </time>
  );
}

/** The time that has passed, kept up to date. */
export function Ago({ at }: Pick<MomentProps, "at">) {
  const ago = useAgo();
  return <Moment at={at}>{ago(at)}</Moment>;
}

export function TimeOfDay({ at }: Pick<MomentProps, "at">) {
  const { time } = useFormat();
  return <Moment at={at}>{time(at)}</Moment>;
}

/** A time in a list: the time of day, the weekday, or the date. */
export function Recent({ at }: Pick<MomentProps, "at">) {
  const { recent } = useFormat();
  const { now } = useApp();
  return <Moment at={at}>{recent(at, now.value)}</Moment>;
}
