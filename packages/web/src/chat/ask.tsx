import type { RefObject } from "preact";
import { useId, useRef } from "preact/hooks";
import { useTexts } from "../context.ts";
import { countCharacters } from "../teleprinter/count.ts";
import { submits } from "../ui/form.ts";
import { KeysHint, TextBox } from "../ui/text-box.tsx";
import { isUsedUp } from "./chat.ts";
import { useChat } from "./context.ts";
import { useChatTexts } from "./texts.ts";
import type { Exchange, Thread } from "./thread.ts";

/** Code points that a question may have. */
const longestQuestion = 100_000;
/** They are counted from this number on. */
const counted = 90_000;

function Counter({ used }: { readonly used: number }) {
  const texts = useTexts();
  if (used < counted) return null;
  return (
    <p class="count" role="status">
      {texts.characters(used, longestQuestion)}
      {used > longestQuestion && <strong> {texts.tooLong(used - longestQuestion)}</strong>}
    </p>
  );
}

function Beneath({ id, used }: { readonly id: string; readonly used: number }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const quota = chat.quota.value;
  return (
    <div class="beneath">
      <KeysHint id={`${id}-keys`} />
      {quota !== null && isUsedUp(quota) && <p class="count">{texts.usedUp}</p>}
      <Counter used={used} />
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

/** The draft of a question, and how it is asked and stopped. */
function useDraft(thread: Thread, box: RefObject<HTMLTextAreaElement | null>) {
  const { chat } = useChat();
  const draft = chat.drafts.of(String(thread.id.value ?? "new"));
  const text = draft.value;
  const used = text.length < counted ? text.length : countCharacters(text);
  const state = thread.exchange.value?.state ?? null;
  const isBusy = state !== null && state !== "failed";
  const fits = thread.messages.value !== null && text.trim() !== "" && used <= longestQuestion;
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
  return { draft, used, fits, busy: isBusy ? state : null, ask, stop };
}

/** Where a question is typed: kept as a draft with every key. While an answer comes, the button stops it. */
export function Ask({ thread }: { readonly thread: Thread }) {
  const texts = useChatTexts();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const { draft, used, fits, busy, ask, stop } = useDraft(thread, box);
  const input = {
    placeholder: texts.write,
    "aria-label": texts.write,
    "aria-describedby": `${id}-keys`,
    "aria-invalid": used > longestQuestion ? "true" : undefined,
  } as const;
  return (
    <form class="ask" onSubmit={submits(ask)}>
      <TextBox box={box} draft={draft} onSend={ask} onEscape={busy === null ? undefined : stop} input={input} />
      <Action state={busy} fits={fits} onStop={stop} />
      <Beneath id={id} used={used} />
    </form>
  );
}
