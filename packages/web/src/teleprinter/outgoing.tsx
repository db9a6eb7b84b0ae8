import { useAccount, useTexts } from "../context.ts";
import { TimeOfDay } from "../ui/when.tsx";
import { Print } from "./line.tsx";
import type { Outgoing } from "../outbox/outgoing-list.ts";
import { Refused } from "../outbox/refused.tsx";

/** Puts a text that was refused back into the box. */
function useEdit({ nonce, to, content }: Outgoing): () => void {
  const { drafts, outbox } = useAccount().teleprinter;
  return () => {
    drafts.putBack(to, content);
    outbox.discard(nonce);
  };
}

function State({ text }: { readonly text: Outgoing }) {
  const { live, teleprinter } = useAccount();
  const texts = useTexts();
  const edit = useEdit(text);
  if (text.state === "failed") return <Refused text={text} outbox={teleprinter.outbox} onEdit={edit} />;
  if (text.state === "sending") return <span class="state">{texts.sending}</span>;
  return <span class="state">{live.state.value === "live" ? texts.triedAgain : texts.waitsForConnection}</span>;
}

function OutgoingLine({ text }: { readonly text: Outgoing }) {
  const texts = useTexts();
  return (
    <li class="line to waits leaves" data-nonce={text.nonce}>
      <div class="margin">
        <TimeOfDay at={text.at} />
        <span class="unseen">{texts.toDevice}</span>
      </div>
      <div class="body">
        <Print content={text.content} />
        <State text={text} />
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
