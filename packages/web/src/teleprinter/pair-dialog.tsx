import { useEffect, useRef, useState } from "preact/hooks";
import { useAccount, useApp, useFormat, useTexts } from "../context.ts";
import { devicePath } from "../route.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { useTask } from "./use-task.ts";

/** A device that asks to be paired. */
interface Candidate {
  readonly code: string;
  readonly deviceId: string;
  readonly name: string;
  readonly expiresAt: string;
}

function CodeForm({ onFound }: { readonly onFound: (candidate: Candidate) => void }) {
  const { pairing } = useAccount().teleprinter;
  const texts = useTexts();
  const task = useTask();
  const [typed, setTyped] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    task.run(async () => onFound({ code: typed, ...(await pairing.pairing({ code: typed })) }));
  };
  return (
    <form onSubmit={submit}>
      <p>{texts.pairLead}</p>
      <Field
        label={texts.pairingCode}
        hint={texts.pairingCodeHint}
        value={typed}
        onValue={(value) => setTyped(value.toUpperCase())}
        first
        input={{
          class: "code",
          pattern: "\\s*([A-Z][\\s\\-]*){8}",
          maxlength: 32,
          autocomplete: "off",
          autocapitalize: "characters",
          spellcheck: false,
        }}
        error={task.problem && texts.problem[task.problem]}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={task.busy}>
          {texts.lookUp}
        </button>
      </div>
    </form>
  );
}

function Confirm({ candidate, onBack }: { readonly candidate: Candidate; readonly onBack: () => void }) {
  const { pairing, devices } = useAccount().teleprinter;
  const { notices, router } = useApp();
  const texts = useTexts();
  const format = useFormat();
  const task = useTask();
  const owned = devices.find(candidate.deviceId);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  const confirm = async (): Promise<void> => {
    const device = await pairing.confirmPairing({ code: candidate.code });
    devices.receive(device);
    notices.say(texts.paired(device.name));
    router.go(devicePath(device.deviceId), "replace");
  };
  return (
    <>
      <p class="question" id="pair-question">
        {texts.pairQuestion(candidate.name)}
      </p>
      <p class="id">{candidate.deviceId}</p>
      {owned !== undefined && <p class="error">{texts.pairOwned(owned.name)}</p>}
      <p>{texts.pairWarning}</p>
      <p class="hint">{texts.pairExpires(format.time(Date.parse(candidate.expiresAt)))}</p>
      {task.problem && (
        <p class="error" role="alert">
          {texts.problem[task.problem]}
        </p>
      )}
      <div class="actions">
        <button
          ref={yes}
          type="button"
          class="primary"
          aria-describedby="pair-question"
          disabled={task.busy}
          onClick={() => task.run(confirm)}
        >
          {texts.pairConfirm}
        </button>
        <button type="button" onClick={onBack}>
          {texts.otherCode}
        </button>
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
