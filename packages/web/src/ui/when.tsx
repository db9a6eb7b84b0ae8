import { useApp, useFormat, useTexts } from "../context.ts";

/** How long ago something was, kept current; the full date on hover and for screen readers. */
export function Ago({ at }: { readonly at: number }) {
  const format = useFormat();
  const texts = useTexts();
  const { now } = useApp();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.full(at)}>
      {texts.lastSeen(format.ago(at, now.value))}
    </time>
  );
}

/** The time of day of something, in Unix milliseconds; the full date on hover. */
export function TimeOfDay({ at }: { readonly at: number }) {
  const format = useFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.full(at)}>
      {format.time(at)}
    </time>
  );
}
