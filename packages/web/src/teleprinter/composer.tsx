import type { TargetedKeyboardEvent } from "preact";
import { useId, useRef } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { isSendKey, useGrowth } from "../ui/typing.ts";
import { AttachButton, useAttached } from "./attach.tsx";
import { countCharacters, longestText } from "./count.ts";
import { PictureDialog } from "./picture-dialog.tsx";

/** From this number of characters on, screen readers announce the counter. */
const nearlyFull = 1800;

/** What a composer needs. */
export interface ComposerProps {
  readonly deviceId: string;
  readonly name: string;
}

type Key = TargetedKeyboardEvent<HTMLTextAreaElement>;

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
  const { preferences } = useApp();
  const texts = useTexts();
  return (
    <div class="beneath">
      <AttachButton onPicture={onPicture} />
      <p class="keys" id={`${id}-keys`}>
        {preferences.enterKey.value === "send" ? texts.sendsHint : texts.breaksHint}
      </p>
      <Counter id={`${id}-count`} used={used} />
    </div>
  );
}

/** Where a text is typed: kept as a draft with every key, sent as a whole. */
export function Composer({ deviceId, name }: ComposerProps) {
  const { drafts, outbox } = useAccount().teleprinter;
  const { preferences } = useApp();
  const texts = useTexts();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = drafts.of(deviceId);
  const text = draft.value;
  useGrowth(box, text);
  const used = countCharacters(text);
  const fits = used > 0 && used <= longestText;
  const { file, setFile, taking } = useAttached();
  const enterSends = preferences.enterKey.value === "send";

  const send = (): void => {
    if (!fits) return;
    outbox.send(deviceId, text);
    draft.value = "";
    box.current?.focus();
  };
  const onKeyDown = (event: Key): void => {
    if (!isSendKey(event, enterSends)) return;
    event.preventDefault();
    send();
  };
  return (
    <>
      <form
        {...taking}
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={box}
          class="paper"
          rows={1}
          dir="auto"
          enterkeyhint={enterSends ? "send" : "enter"}
          aria-label={texts.write(name)}
          aria-describedby={`${id}-count ${id}-keys`}
          aria-invalid={used > longestText ? "true" : undefined}
          placeholder={texts.writeHint(name)}
          value={text}
          onInput={({ currentTarget }) => {
            draft.value = currentTarget.value;
          }}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="primary" disabled={!fits}>
          {texts.send}
        </button>
        <Beneath id={id} used={used} onPicture={setFile} />
      </form>
      {file !== null && <PictureDialog file={file} deviceId={deviceId} onClose={() => setFile(null)} />}
    </>
  );
}
