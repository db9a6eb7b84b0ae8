import { useTexts } from "../app/context.ts";
import type { Live } from "../server/live.ts";
import { Actions } from "../ui/lists/actions.tsx";
import type { Outbox } from "./outbox.ts";
import type { Outgoing } from "./outgoing-list.ts";

/** A rejected text. */
interface RefusedProps {
  readonly text: Outgoing;
  /** The text, which can be put back into the box. */
  readonly words: string;
  readonly outbox: Pick<Outbox<never>, "retry" | "discard">;
  readonly drafts: { readonly putBack: (to: string, words: string) => void };
  /** Used if screen readers would not announce the text otherwise. */
  readonly role?: "alert";
}

/** The reason why a text was not sent, and the actions for it. */
function Refused({ text: { to, nonce, problem }, words, outbox, drafts, role }: RefusedProps) {
  const texts = useTexts();
  const edit = (): void => {
    drafts.putBack(to, words);
    outbox.discard(nonce);
  };
  const actions = [
    { name: texts.sendAgain, onChoose: () => void outbox.retry(nonce) },
    { name: texts.editAgain, onChoose: edit },
    { name: texts.discard, onChoose: () => outbox.discard(nonce) },
  ];
  return (
    <div class="refused" role={role}>
      <p>
        {texts.notSent} {texts.problem[problem ?? "unknown"]}
      </p>
      <Actions actions={actions} />
    </div>
  );
}

interface WaitingProps {
  readonly live: Pick<Live, "state">;
}

/** Explains when a waiting text will be sent. */
function Waiting({ live }: WaitingProps) {
  const texts = useTexts();
  return <span class="state">{live.state.value === "live" ? texts.triedAgain : texts.waitsForConnection}</span>;
}

/** The state of an unsent text. */
export function OutgoingState({ live, ...refused }: RefusedProps & WaitingProps) {
  const { sending } = useTexts();
  const { state } = refused.text;
  if (state === "failed") return <Refused {...refused} />;
  return state === "sending" ? <span class="state">{sending}</span> : <Waiting live={live} />;
}
