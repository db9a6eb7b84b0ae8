import { useAccount, useTexts } from "../context.ts";
import { TimeOfDay } from "../ui/when.tsx";
import { Print } from "./line.tsx";
import type { Outgoing } from "../outbox/outgoing-list.ts";
import { OutgoingState } from "../outbox/outgoing-state.tsx";

/** Puts a text that was refused back into the box. */
function useEdit({ nonce, to, content }: Outgoing): () => void {
  const { drafts, outbox } = useAccount().teleprinter;
  return () => {
    drafts.putBack(to, content);
    outbox.discard(nonce);
  };
}

function OutgoingLine({ text }: { readonly text: Outgoing }) {
  const { live, teleprinter } = useAccount();
  const texts = useTexts();
  const edit = useEdit(text);
  return (
    <li class="line to waits leaves" data-nonce={text.nonce}>
      <div class="margin">
        <TimeOfDay at={text.at} />
        <span class="unseen">{texts.toDevice}</span>
      </div>
      <div class="body">
        <Print content={text.content} />
        <OutgoingState {...{ text, live }} outbox={teleprinter.outbox} onEdit={edit} />
      </div>
    </li>
  );
}

/** The texts on their way to a device: printed immediately, and pale until the server has them. */
export function OutgoingLines({ texts }: { readonly texts: readonly Outgoing[] }) {
  return (
    // Without its marks, Safari takes a list for none.
    <ol role="list" class="sheet paper outgoing">
      {texts.map((text) => (
        <OutgoingLine key={text.nonce} text={text} />
      ))}
    </ol>
  );
}
