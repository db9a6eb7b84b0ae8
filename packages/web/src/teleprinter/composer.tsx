import type { RefObject } from "preact";
import { useId, useRef } from "preact/hooks";
import { useAccount, useTexts } from "../context.ts";
import { submits } from "../ui/form.ts";
import { KeysHint, TextBox } from "../ui/text-box.tsx";
import { AttachButton, useAttached } from "./attach.tsx";
import { countCharacters, longestText } from "./count.ts";
import { PictureDialog } from "./picture-dialog.tsx";

/** From this number of characters on, screen readers announce the counter. */
const nearlyFull = 1800;

/** What a composer needs. */
interface ComposerProps {
  readonly deviceId: string;
  readonly name: string;
}

function Counter({ id, used }: { readonly id: string; readonly used: number }) {
  const texts = useTexts();
  const over = used - longestText;
  return (
    <p class={over > 0 ? "counter over" : "counter"} id={id} role={used >= nearlyFull ? "status" : undefined}>
      {texts.characters(used, longestText)}
      {over > 0 && <strong> {texts.tooLong(over)}</strong>}
    </p>
  );
}

interface BeneathProps {
  readonly id: string;
  readonly used: number;
  readonly onPicture: (file: File) => void;
}

/** What is below the box: a picture instead of a text, the keys, the counter. */
function Beneath({ id, used, onPicture }: BeneathProps) {
  return (
    <div class="beneath">
      <AttachButton onPicture={onPicture} />
      <KeysHint id={`${id}-keys`} />
      <Counter id={`${id}-count`} used={used} />
    </div>
  );
}

/** The draft for a device, and how it is sent. */
function useDraft(deviceId: string, box: RefObject<HTMLTextAreaElement | null>) {
  const { drafts, outbox } = useAccount().teleprinter;
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

/** Where a text is typed: kept as a draft with every key, sent as a whole. */
export function Composer({ deviceId, name }: ComposerProps) {
  const texts = useTexts();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const { draft, used, fits, send } = useDraft(deviceId, box);
  const { file, setFile, taking } = useAttached();
  const input = {
    class: "paper",
    placeholder: texts.writeHint(name),
    "aria-label": texts.write(name),
    "aria-describedby": `${id}-count ${id}-keys`,
    "aria-invalid": used > longestText ? "true" : undefined,
  } as const;
  return (
    <>
      <form {...taking} class="composer" onSubmit={submits(send)}>
        <TextBox box={box} draft={draft} onSend={send} input={input} />
        <button type="submit" class="primary" disabled={!fits}>
          {texts.send}
        </button>
        <Beneath id={id} used={used} onPicture={setFile} />
      </form>
      {file !== null && <PictureDialog file={file} deviceId={deviceId} onClose={() => setFile(null)} />}
    </>
  );
}
