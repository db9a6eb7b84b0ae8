import { useAccount, useTexts } from "../context.ts";
import { TimeOfDay } from "../ui/when.tsx";
import { Print } from "./line.tsx";
import type { Outgoing } from "../outbox/outgoing-list.ts";

function Refused({ text, onEdit }: { readonly text: Outgoing; readonly onEdit: (text: Outgoing) => void }) {
  const { outbox } = useAccount().teleprinter;
  const texts = useTexts();
  return (
    <div class="refused">
      <p>
        {texts.notSent} {texts.problem[text.problem ?? "unknown"]}
      </p>
      <div class="actions">
        <button type="button" onClick={() => void outbox.retry(text.nonce)}>
          {texts.sendAgain}
        </button>
        <button type="button" onClick={() => onEdit(text)}>
          {texts.editAgain}
        </button>
        <button type="button" onClick={() => outbox.discard(text.nonce)}>
          {texts.discard}
        </button>
      </div>
    </div>
  );
}

function Progress({ text }: { readonly text: Outgoing }) {
  const { live } = useAccount();
  const texts = useTexts();
  if (text.state === "sending") return <span class="state">{texts.sending}</span>;
  return <span class="state">{live.state.value === "live" ? texts.triedAgain : texts.waitsForConnection}</span>;
}

function OutgoingLine({ text, onEdit }: { readonly text: Outgoing; readonly onEdit: (text: Outgoing) => void }) {
  const texts = useTexts();
  return (
    <li class="line to waits leaves" data-nonce={text.nonce}>
      <div class="margin">
        <TimeOfDay at={text.at} />
        <span class="unseen">{texts.toDevice}</span>
      </div>
      <div class="body">
        <Print content={text.content} />
        {text.state === "failed" ? <Refused text={text} onEdit={onEdit} /> : <Progress text={text} />}
      </div>
    </li>
  );
}

/** The texts on their way to a device: printed immediately, and pale until the server has them. */
export function OutgoingLines({
  texts,
  onEdit,
}: {
  readonly texts: readonly Outgoing[];
  readonly onEdit: (text: Outgoing) => void;
}) {
  return (
    // Without its marks, Safari takes a list for none.
    <ol role="list" class="sheet paper outgoing">
      {texts.map((text) => (
        <OutgoingLine key={text.nonce} text={text} onEdit={onEdit} />
      ))}
    </ol>
  );
}
