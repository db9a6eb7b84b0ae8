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

/** The texts that are being sent to a device, pale until the server has stored them. */
export const OutgoingLines = ({ texts }: { readonly texts: readonly Outgoing[] }) => (
  // Safari does not treat a list without markers as a list.
  <ol role="list" class="sheet paper outgoing">
    {texts.map((text) => (
      <OutgoingLine key={text.nonce} text={text} />
    ))}
  </ol>
);
