import { createLazy } from "../ui/panes/lazy.tsx";
import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { useTeleprinter } from "./state/context.ts";
import { useTexts } from "../app/context.ts";
import { submits } from "../ui/forms/form.ts";
import { SubmitButton } from "../ui/forms/submit-button.tsx";
import { Button } from "../ui/forms/button.tsx";
import { type Chosen, deliveryOf, usual } from "./sending/delivery.ts";
import { KeysHint, TextBox } from "../ui/forms/text-box.tsx";
import { AttachButton, useAttached } from "../photo/attach.tsx";
import { countCharacters, longestText } from "../base/count.ts";

const Options = createLazy(async () => (await import("./sending/options.tsx")).Options);
const PictureDialog = createLazy(async () => (await import("./dialogs/picture.tsx")).PictureDialog);

/** The number of characters from which screen readers announce the counter. */
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

/** The delivery options of the next text, and whether their form is open. They are reset after each text. */
function useDelivery() {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosen, onChoose] = useState<Chosen>(usual);
  const reset = (): void => {
    setOpen(false);
    onChoose(usual);
  };
  return { id, isOpen, toggle: () => setOpen(!isOpen), chosen, onChoose, reset };
}

type DeliveryChoice = ReturnType<typeof useDelivery>;

/** Opens the form of delivery options. It shows how many of them differ from the default. */
function OptionsButton({ choice: { id, isOpen, toggle, chosen } }: { readonly choice: DeliveryChoice }) {
  const texts = useTexts();
  const set = Object.keys(deliveryOf(chosen)).length;
  return (
    <Button class="plain attach" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={toggle}>
      {set === 0 ? texts.sendOptions : texts.sendOptionsSet(set)}
    </Button>
  );
}

interface BeneathProps {
  readonly used: number;
  readonly choice: DeliveryChoice;
  readonly onPicture: (file: File) => void;
}

/** The line below the box: the buttons for pictures and options, the hint and the counter. */
const Beneath = ({ used, choice, onPicture }: BeneathProps) => (
  <div class="beneath">
    <AttachButton onPicture={onPicture} />
    <OptionsButton choice={choice} />
    <KeysHint />
    <Counter used={used} />
  </div>
);

/** The draft for a device, and the function that sends it. */
function useDraft(deviceId: string, box: RefObject<HTMLTextAreaElement | null>, choice: DeliveryChoice) {
  const { drafts, outbox } = useTeleprinter();
  const draft = drafts.of(deviceId);
  const used = countCharacters(draft.value);
  const fits = used > 0 && used <= longestText;
  const send = (): void => {
    if (!fits || box.current?.form?.reportValidity() === false) return;
    outbox.send(deviceId, draft.value, deliveryOf(choice.chosen));
    choice.reset();
    draft.value = "";
    box.current?.focus();
  };
  return { draft, used, fits, send };
}

interface FormProps extends ComposerProps, Pick<BeneathProps, "onPicture"> {
  /** The handlers for dropped and pasted pictures. */
  readonly taking: ReturnType<typeof useAttached>["taking"];
}

function Form({ deviceId, name, onPicture, taking }: FormProps) {
  const texts = useTexts();
  const box = useRef<HTMLTextAreaElement>(null);
  const choice = useDelivery();
  const { draft, used, fits, send } = useDraft(deviceId, box, choice);
  const words = { label: texts.write(name), placeholder: texts.writeHint(name), describedBy: counterId };
  return (
    <form {...taking} class="composer" onSubmit={submits(send)}>
      <TextBox {...words} box={box} draft={draft} look="paper" isTooLong={used > longestText} onSend={send} />
      <SubmitButton label={texts.send} isReady={fits} />
      {choice.isOpen && <Options id={choice.id} chosen={choice.chosen} onChoose={choice.onChoose} isFirst />}
      <Beneath used={used} choice={choice} onPicture={onPicture} />
    </form>
  );
}

/** The box for a text. Every change is saved as a draft. */
export function Composer({ deviceId, name }: ComposerProps) {
  const { file, setFile, taking } = useAttached();
  return (
    <>
      <Form deviceId={deviceId} name={name} onPicture={setFile} taking={taking} />
      {file !== null && <PictureDialog file={file} deviceId={deviceId} onClose={() => setFile(null)} />}
    </>
  );
}
