import { useId } from "preact/hooks";
import { useFormat } from "../app/context.ts";
import { memo } from "../ui/lists/memo.ts";
import type { Sheet as SheetOfDay } from "./layout.ts";
import { Line } from "./line.tsx";
import type { PrintedMessage } from "./state/message.ts";

interface PartProps {
  readonly messages: readonly PrintedMessage[];
}

/** The estimated height of a line in pixels, for parts that were never visible. */
const lineHeight = 32;

const DrawnPart = ({ messages }: PartProps) => (
  // Safari does not treat a list without markers as a list.
  <ol role="list" class="part" style={{ containIntrinsicBlockSize: `auto ${messages.length * lineHeight}px` }}>
    {messages.map((message, index) => (
      <Line key={message.id} message={message} above={messages[index - 1]} />
    ))}
  </ol>
);

const sameMessages = ({ messages: a }: PartProps, { messages: b }: PartProps): boolean =>
  a.length === b.length && a.every((message, index) => message === b[index]);

const Part = memo(DrawnPart, sameMessages);

/** The texts of one day on a sheet of paper. */
export function Sheet({ sheet }: { readonly sheet: SheetOfDay }) {
  const format = useFormat();
  const id = useId();
  return (
    <section class="sheet paper" aria-labelledby={id}>
      <h3 id={id}>
        <time dateTime={new Date(sheet.day).toISOString()}>{format.day(sheet.day)}</time>
      </h3>
      {sheet.parts.map(({ key, messages }) => (
        <Part key={key} messages={messages} />
      ))}
    </section>
  );
}
