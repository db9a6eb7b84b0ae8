import { useTeleprinter } from "./state/context.ts";
import { useTexts } from "../app/context.ts";
import { Margin, Print, Subject } from "./line.tsx";
import type { Outgoing } from "../outbox/outgoing-list.ts";
import { OutgoingState } from "../outbox/outgoing-state.tsx";

function OutgoingLine({ text }: { readonly text: Outgoing }) {
  const { live, outbox, drafts } = useTeleprinter();
  const texts = useTexts();
  return (
    <li class="line to waits leaves" data-nonce={text.nonce}>
      <Margin at={text.at} side={texts.toDevice} />
      <div class="body">
        <Subject title={text.delivery?.title} priority={text.delivery?.priority} />
        <Print content={text.content} />
        <OutgoingState {...{ text, live, outbox, drafts }} words={text.content} />
      </div>
    </li>
  );
}

/** The texts on their way to a device: printed immediately, and pale until the server has them. */
export const OutgoingLines = ({ texts }: { readonly texts: readonly Outgoing[] }) => (
  // Without its marks, Safari takes a list for none.
  <ol role="list" class="sheet paper outgoing">
    {texts.map((text) => (
      <OutgoingLine key={text.nonce} text={text} />
    ))}
  </ol>
);
