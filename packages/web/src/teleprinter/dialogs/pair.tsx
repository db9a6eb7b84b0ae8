import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useTeleprinter } from "../state/context.ts";
import { useApp, useFormat, useTexts } from "../../app/context.ts";
import { devicePath } from "../../app/route.ts";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Field, type FieldProps } from "../../ui/forms/field.tsx";
import { submits } from "../../ui/forms/form.ts";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { useTask } from "../../ui/forms/use-task.ts";
import { codeTrouble } from "./code-trouble.ts";

/** A device that asks to be paired. */
interface Candidate {
  readonly code: string;
  readonly deviceId: string;
  readonly name: string;
  readonly expiresAt: string;
  /** The name of the person's device with the same ID, or null. */
  readonly replaces: string | null;
}

const questionId = "pair-question";

const codeInput: FieldProps["input"] = {
  class: "code",
  maxlength: 32,
  autocomplete: "off",
  autocapitalize: "characters",
  spellcheck: false,
};

/** The typed code. Its error is shown after a lookup. */
function useTypedCode() {
  const texts = useTexts();
  const [typed, setTyped] = useState("");
  const [isChecked, setChecked] = useState(false);
  const trouble = codeTrouble(typed);
  const slip =
    trouble?.kind === "length" ? texts.codeLength(trouble.count) : trouble && texts.codeHas(trouble.found.join(" "));
  const type = (value: string): void => {
    setTyped(value.toUpperCase());
    setChecked(false);
  };
  return { typed, type, slip: isChecked ? slip : null, isRight: trouble === null, check: () => setChecked(true) };
}

function CodeForm({ onFound }: { readonly onFound: (candidate: Candidate) => void }) {
  const { pairing } = useTeleprinter();
  const texts = useTexts();
  const task = useTask();
  const { typed, type, slip, isRight, check } = useTypedCode();
  const find = async (): Promise<void> => onFound({ code: typed, ...(await pairing.pairing({ code: typed })) });
  const lookUp = (): void => {
    check();
    if (isRight) task.run(find);
  };
  const words = { label: texts.pairingCode, hint: texts.pairingCodeHint, error: slip ?? task.error };
  return (
    <form onSubmit={submits(lookUp)}>
      <p>{texts.pairLead}</p>
      <Field {...words} value={typed} onValue={type} first input={codeInput} />
      <div class="actions">
        <SubmitButton label={texts.lookUp} isReady={!task.busy} />
      </div>
    </form>
  );
}

/** Identifies the device, and explains the effect of confirming. */
function CandidateText({ candidate }: { readonly candidate: Candidate }) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <>
      <p class="question" id={questionId}>
        {texts.pairQuestion(candidate.name)}
      </p>
      <p class="id">{candidate.deviceId}</p>
      {candidate.replaces !== null && <p class="error">{texts.pairOwned(candidate.replaces)}</p>}
      <p>{texts.pairWarning}</p>
      <p class="hint">{texts.pairExpires(format.time(Date.parse(candidate.expiresAt)))}</p>
    </>
  );
}

/** Pairs the device with this code, and opens its page. */
function useConfirm({ code }: Candidate): () => Promise<void> {
  const { pairing, devices } = useTeleprinter();
  const { notices, router } = useApp();
  const texts = useTexts();
  return async () => {
    const device = await pairing.confirmPairing({ code });
    devices.receive(device);
    notices.show(texts.paired(device.name));
    router.go(devicePath(device.deviceId), "replace");
  };
}

interface AnswersProps {
  readonly candidate: Candidate;
  readonly busy: boolean;
  readonly onYes: () => void;
  readonly onBack: () => void;
}

/** The two answers. For a device that the person already has, the focus is on the one that changes nothing. */
function Answers({ candidate, busy, onYes, onBack }: AnswersProps) {
  const texts = useTexts();
  const safe = useRef<HTMLButtonElement>(null);
  const yes = useRef<HTMLButtonElement>(null);
  const focused = candidate.replaces === null ? yes : safe;
  useLayoutEffect(() => focused.current?.focus(), []);
  const attributes = { type: "button", "aria-describedby": questionId } as const;
  return (
    <div class="actions">
      <button {...attributes} class="primary" disabled={busy} ref={yes} onClick={onYes}>
        {texts.pairConfirm}
      </button>
      <button {...attributes} ref={safe} onClick={onBack}>
        {texts.otherCode}
      </button>
    </div>
  );
}

function Confirm({ candidate, onBack }: { readonly candidate: Candidate; readonly onBack: () => void }) {
  const task = useTask();
  const confirm = useConfirm(candidate);
  return (
    <>
      <CandidateText candidate={candidate} />
      <ErrorText text={task.error} />
      <Answers candidate={candidate} busy={task.busy} onYes={() => task.run(confirm)} onBack={onBack} />
    </>
  );
}

/** Pairs a device by its code. The code must always be typed. */
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
