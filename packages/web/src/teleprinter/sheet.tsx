import { useId } from "preact/hooks";
import { useFormat } from "../app/context.ts";
import { memo } from "../ui/lists/memo.ts";
import type { Sheet as SheetOfDay } from "./layout.ts";
import { Line } from "./line.tsx";
import type { PrintedMessage } from "./state/message.ts";

interface StretchProps {
  readonly messages: readonly PrintedMessage[];
}

/** Pixels of a line, as a first guess for stretches that have not been in sight. */
const lineHeight = 32;

const DrawnStretch = ({ messages }: StretchProps) => (
  // Without its marks, Safari takes a list for none.
  <ol role="list" class="stretch" style={{ containIntrinsicBlockSize: `auto ${messages.length * lineHeight}px` }}>
    {messages.map((message, index) => (
      <Line key={message.id} message={message} above={messages[index - 1]} />
    ))}
  </ol>
);

const sameMessages = ({ messages: a }: StretchProps, { messages: b }: StretchProps): boolean =>
  a.length === b.length && a.every((message, index) => message === b[index]);

const Stretch = memo(DrawnStretch, sameMessages);

/** The paper of one day, torn off where the day began. */
export function Sheet({ sheet }: { readonly sheet: SheetOfDay }) {
  const format = useFormat();
  const id = useId();
  return (
    <section class="sheet paper" aria-labelledby={id}>
      <h3 id={id}>
        <time dateTime={new Date(sheet.day).toISOString()}>{format.day(sheet.day)}</time>
      </h3>
      {sheet.stretches.map(({ key, messages }) => (
        <Stretch key={key} messages={messages} />
      ))}
    </section>
  );
}
