import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAccount, useApp, useFormat, useTexts } from "../context.ts";
import { devicePath } from "../route.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Field, type FieldProps } from "../ui/field.tsx";
import { submits } from "../ui/form.ts";
import { SubmitButton } from "../ui/submit-button.tsx";
import { useTask } from "./use-task.ts";

/** A device that asks to be paired. */
interface Candidate {
  readonly code: string;
  readonly deviceId: string;
  readonly name: string;
  readonly expiresAt: string;
}

const questionId = "pair-question";

const codeInput: FieldProps["input"] = {
  class: "code",
  pattern: "\\s*([A-Z][\\s\\-]*){8}",
  maxlength: 32,
  autocomplete: "off",
  autocapitalize: "characters",
  spellcheck: false,
};

function CodeForm({ onFound }: { readonly onFound: (candidate: Candidate) => void }) {
  const { pairing } = useAccount().teleprinter;
  const texts = useTexts();
  const task = useTask();
  const [typed, setTyped] = useState("");
  const find = async (): Promise<void> => onFound({ code: typed, ...(await pairing.pairing({ code: typed })) });
  const onValue = (value: string): void => setTyped(value.toUpperCase());
  const words = { label: texts.pairingCode, hint: texts.pairingCodeHint, error: task.error };
  return (
    <form onSubmit={submits(() => task.run(find))}>
      <p>{texts.pairLead}</p>
      <Field {...words} value={typed} onValue={onValue} first input={codeInput} />
      <div class="actions">
        <SubmitButton label={texts.lookUp} isReady={!task.busy} />
      </div>
    </form>
  );
}

/** Which device it is, and what confirming means. */
function CandidateText({ candidate }: { readonly candidate: Candidate }) {
  const { devices } = useAccount().teleprinter;
  const texts = useTexts();
  const format = useFormat();
  const owned = devices.find(candidate.deviceId);
  return (
    <>
      <p class="question" id={questionId}>
        {texts.pairQuestion(candidate.name)}
      </p>
      <p class="id">{candidate.deviceId}</p>
      {owned !== undefined && <p class="error">{texts.pairOwned(owned.name)}</p>}
      <p>{texts.pairWarning}</p>
      <p class="hint">{texts.pairExpires(format.time(Date.parse(candidate.expiresAt)))}</p>
    </>
  );
}

/** Pairs the device of a code, and shows its paper. */
function useConfirm({ code }: Candidate): () => Promise<void> {
  const { pairing, devices } = useAccount().teleprinter;
  const { notices, router } = useApp();
  const texts = useTexts();
  return async () => {
    const device = await pairing.confirmPairing({ code });
    devices.receive(device);
    notices.say(texts.paired(device.name));
    router.go(devicePath(device.deviceId), "replace");
  };
}

/** The button that confirms. It has the focus. */
function ConfirmButton({ busy, onClick }: { readonly busy: boolean; readonly onClick: () => void }) {
  const texts = useTexts();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  const attributes = { type: "button", class: "primary", disabled: busy, "aria-describedby": questionId } as const;
  return (
    <button {...attributes} ref={ref} onClick={onClick}>
      {texts.pairConfirm}
    </button>
  );
}

function Confirm({ candidate, onBack }: { readonly candidate: Candidate; readonly onBack: () => void }) {
  const texts = useTexts();
  const task = useTask();
  const confirm = useConfirm(candidate);
  return (
    <>
      <CandidateText candidate={candidate} />
      <ErrorText text={task.error} />
      <div class="actions">
        <ConfirmButton busy={task.busy} onClick={() => task.run(confirm)} />
        <Button onClick={onBack}>{texts.otherCode}</Button>
      </div>
    </>
  );
}

/** Pairs the device that shows a code. The code is always typed. */
export function PairDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const [candidate, setCandidate] = useState<Candidate | null>(null);
  return (
    <Dialog title={texts.pair} onClose={onClose}>
      {candidate === null ? (
        <CodeForm onFound={setCandidate} />
      ) : (
        <Confirm candidate={candidate} onBack={() => setCandidate(null)} />
      )}
    </Dialog>
  );
}
