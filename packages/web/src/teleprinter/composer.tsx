import { createLazy } from "../ui/panes/lazy.tsx";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { useTeleprinter } from "./state/context.ts";
import { useTexts } from "../app/context.ts";
import { submits } from "../ui/forms/form.ts";
import { SubmitButton } from "../ui/forms/submit-button.tsx";
import { KeysHint, TextBox } from "../ui/forms/text-box.tsx";
import { AttachButton, useAttached } from "../photo/attach.tsx";
import { countCharacters, longestText } from "../base/count.ts";

const PictureDialog = createLazy(async () => (await import("./dialogs/picture.tsx")).PictureDialog);

/** From this number of characters on, screen readers announce the counter. */
const nearlyFull = 1800;

interface ComposerProps {
  readonly deviceId: string;
  readonly name: string;
}

const counterId = "characters";

function Counter({ used }: { readonly used: number }) {
  const texts = useTexts();
  const over = used - longestText;
  return (
    <p class={over > 0 ? "counter over" : "counter"} id={counterId} role={used >= nearlyFull ? "status" : undefined}>
      {texts.characters(used, longestText)}
      {over > 0 && <strong> {texts.tooLong(over)}</strong>}
    </p>
  );
}

interface BeneathProps {
  readonly used: number;
  readonly onPicture: (file: File) => void;
}

/** The line below the box: the button for pictures, the keys, the counter. */
function Beneath({ used, onPicture }: BeneathProps) {
  return (
    <div class="beneath">
      <AttachButton onPicture={onPicture} />
      <KeysHint />
      <Counter used={used} />
    </div>
  );
}

/** The draft for a device, and how it is sent. */
function useDraft(deviceId: string, box: RefObject<HTMLTextAreaElement | null>) {
  const { drafts, outbox } = useTeleprinter();
  const draft = drafts.of(deviceId);
  const used = countCharacters(draft.value);
  const fits = used > 0 && used <= longestText;
  const send = (): void => {
    if (!fits) return;
    outbox.send(deviceId, draft.value);
    draft.value = "";
    box.current?.focus();
  };
  return { draft, used, fits, send };
}

interface FormProps extends ComposerProps, Pick<BeneathProps, "onPicture"> {
  /** The handlers of pictures that are dropped or pasted. */
  readonly taking: ReturnType<typeof useAttached>["taking"];
}

function Form({ deviceId, name, onPicture, taking }: FormProps) {
  const texts = useTexts();
  const box = useRef<HTMLTextAreaElement>(null);
  const { draft, used, fits, send } = useDraft(deviceId, box);
  const words = { label: texts.write(name), placeholder: texts.writeHint(name), describedBy: counterId };
  return (
    <form {...taking} class="composer" onSubmit={submits(send)}>
      <TextBox {...words} box={box} draft={draft} look="paper" isTooLong={used > longestText} onSend={send} />
      <SubmitButton label={texts.send} isReady={fits} />
      <Beneath used={used} onPicture={onPicture} />
    </form>
  );
}

/** Where a text is typed: kept as a draft with every key, sent as a whole. */
export function Composer({ deviceId, name }: ComposerProps) {
  const { file, setFile, taking } = useAttached();
  return (
    <>
      <Form deviceId={deviceId} name={name} onPicture={setFile} taking={taking} />
      {file !== null && <PictureDialog file={file} deviceId={deviceId} onClose={() => setFile(null)} />}
    </>
  );
}
