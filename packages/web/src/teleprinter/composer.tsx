import type { TargetedKeyboardEvent } from "preact";
import { useId, useRef } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { isSendKey, useGrowth } from "../ui/typing.ts";
import { countCharacters, longestText } from "./count.ts";

/** From so many characters on, the counter counts aloud. */
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
    <form
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
      <div class="beneath">
        <p class="keys" id={`${id}-keys`}>
          {enterSends ? texts.sendsHint : texts.breaksHint}
        </p>
        <Counter id={`${id}-count`} used={used} />
      </div>
    </form>
  );
}
