import { useId, useRef } from "preact/hooks";
import { useApp, useTexts } from "../context.ts";
import { countCharacters } from "../teleprinter/count.ts";
import { isSendKey, useGrowth } from "../ui/typing.ts";
import { isUsedUp } from "./chat.ts";
import { useChat } from "./context.ts";
import { useChatTexts } from "./texts.ts";
import type { Exchange, Thread } from "./thread.ts";

/** Code points that a question may have. */
const longestQuestion = 100_000;
/** They are counted from this number on. */
const counted = 90_000;

function Beneath({ id, used }: { readonly id: string; readonly used: number }) {
  const { chat } = useChat();
  const { preferences } = useApp();
  const shared = useTexts();
  const texts = useChatTexts();
  const quota = chat.quota.value;
  return (
    <div class="beneath">
      <p class="keys" id={`${id}-keys`}>
        {preferences.enterKey.value === "send" ? shared.sendsHint : shared.breaksHint}
      </p>
      {quota !== null && isUsedUp(quota) && <p class="count">{texts.usedUp}</p>}
      {used >= counted && (
        <p class="count" role="status">
          {shared.characters(used, longestQuestion)}
          {used > longestQuestion && <strong> {shared.tooLong(used - longestQuestion)}</strong>}
        </p>
      )}
    </div>
  );
}

interface ActionProps {
  /** The one of the reply in progress, if any. */
  readonly state: Exchange["state"] | null;
  readonly fits: boolean;
  readonly onStop: () => void;
}

/** Asks; while an answer comes, stops it. */
function Action({ state, fits, onStop }: ActionProps) {
  const texts = useChatTexts();
  return state === null ? (
    <button type="submit" class="primary" disabled={!fits}>
      {texts.ask}
    </button>
  ) : (
    <button type="button" class="primary" disabled={state === "stopping"} onClick={onStop}>
      {texts.stop}
    </button>
  );
}

/** Where a question is typed: kept as a draft with every key. While an answer comes, the button stops it. */
export function Ask({ thread }: { readonly thread: Thread }) {
  const { chat } = useChat();
  const { preferences } = useApp();
  const texts = useChatTexts();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = chat.drafts.of(String(thread.id.value ?? "new"));
  const text = draft.value;
  useGrowth(box, text);
  const used = text.length < counted ? text.length : countCharacters(text);
  const state = thread.exchange.value?.state ?? null;
  const isBusy = state !== null && state !== "failed";
  const fits = thread.messages.value !== null && text.trim() !== "" && used <= longestQuestion;
  const enterSends = preferences.enterKey.value === "send";
  const ask = (): void => {
    if (!fits || isBusy) return;
    if (state === "failed") chat.discard(thread);
    chat.ask(thread, text);
    draft.value = "";
    box.current?.focus();
  };
  const stop = (): void => {
    chat.stop(thread);
    box.current?.focus();
  };
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        enterkeyhint={enterSends ? "send" : "enter"}
        aria-label={texts.write}
        aria-describedby={`${id}-keys`}
        aria-invalid={used > longestQuestion ? "true" : undefined}
        placeholder={texts.write}
        value={text}
        onInput={({ currentTarget }) => {
          draft.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isBusy) stop();
          if (!isSendKey(event, enterSends)) return;
          event.preventDefault();
          ask();
        }}
      />
      <Action state={isBusy ? state : null} fits={fits} onStop={stop} />
      <Beneath id={id} used={used} />
    </form>
  );
}
