import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { useApp } from "../app/context.ts";
import { takesUploads } from "../ui/files/given-files.ts";
import { Button } from "../ui/forms/button.tsx";
import { submits } from "../ui/forms/form.ts";
import { LateCounter } from "../ui/forms/late-counter.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { SubmitButton } from "../ui/forms/submit-button.tsx";
import { KeysHint, TextBox } from "../ui/forms/text-box.tsx";
import { useOpenedBox } from "../ui/forms/typing.ts";
import { createLazy } from "../ui/panes/lazy.tsx";
import { type Attached, AttachedFiles, useAttached } from "./attached.tsx";
import { isUsedUp } from "./state/chat.ts";
import { useChat } from "./context.ts";
import { useChatTexts } from "./texts.ts";
import { questionLengthOf, questionLimit } from "./state/exchange.ts";
import type { Exchange, Thread } from "./state/thread.ts";

const PromptsDialog = createLazy(async () => (await import("./prompts/prompts-dialog.tsx")).PromptsDialog);

function Beneath({ used, onPrompts }: { readonly used: number; readonly onPrompts: () => void }) {
  const { chat } = useChat();
  const { session } = useApp();
  const texts = useChatTexts();
  const quota = chat.quota.value;
  return (
    <div class="beneath">
      {session.way.value === "accounts" && <LinkButton onClick={onPrompts}>{texts.prompts}</LinkButton>}
      <KeysHint />
      {quota !== null && isUsedUp(quota) && <p class="count">{texts.usedUp}</p>}
      <LateCounter used={used} limit={questionLimit} look="count" />
    </div>
  );
}

interface ActionProps {
  /** The state of the reply in progress, or null. */
  readonly state: Exchange["state"] | null;
  readonly fits: boolean;
  readonly onStop: () => void;
}

/** A button to ask, or to stop the reply in progress. */
function Action({ state, fits, onStop }: ActionProps) {
  const texts = useChatTexts();
  if (state === null) return <SubmitButton label={texts.ask} isReady={fits} />;
  return (
    <Button class="primary" disabled={state === "stopping"} onClick={onStop}>
      {texts.stop}
    </Button>
  );
}

/** The draft of a question, and whether it can be asked. */
function useDraft(thread: Thread) {
  const draft = useChat().chat.drafts.of(String(thread.id.value ?? "new"));
  const used = questionLengthOf(draft.value);
  const fits = thread.messages.value !== null && draft.value.trim() !== "" && used <= questionLimit.longest;
  return { draft, used, fits };
}

/** The functions that ask the question and stop the reply. */
function useAsking(
  thread: Thread,
  { draft, fits }: Pick<ReturnType<typeof useDraft>, "draft" | "fits">,
  attached: Attached,
) {
  const { chat } = useChat();
  const busy = thread.exchange.value?.state ?? null;
  const ask = (): void => {
    if (!fits || busy !== null) return;
    chat.ask(thread, draft.peek(), { files: attached.take() });
    draft.value = "";
  };
  return { busy, ask, stop: () => chat.stop(thread) };
}

/** Wraps a function so that the box gets the focus afterwards. */
const createWithFocus = (box: RefObject<HTMLTextAreaElement | null>) => (work: () => void) => (): void => {
  work();
  box.current?.focus();
};

/** Appends a prompt to the typed text. */
const withPrompt = (typed: string, prompt: string): string =>
  typed.trim() === "" ? prompt : `${typed.trimEnd()}\n\n${prompt}`;

/** Opens the last question for editing. Returns false in an empty conversation, and during a reply. */
function editLast({ messages, exchange, editing }: Thread): boolean {
  const last = messages.peek()?.findLast(({ role }) => role === "user");
  if (last === undefined || exchange.peek() !== null) return false;
  editing.value = { id: last.id, words: last.content };
  return true;
}

/** The box for a question. Every change is saved as a draft. During a reply, the button stops it. */
export function Ask({ thread }: { readonly thread: Thread }) {
  const texts = useChatTexts();
  const box = useRef<HTMLTextAreaElement>(null);
  useOpenedBox(box, thread, useApp().router.route.value.messageId);
  const question = useDraft(thread);
  const attached = useAttached();
  const { draft, used } = question;
  const fits = question.fits && attached.isReady;
  const { busy, ask, stop } = useAsking(thread, { draft, fits }, attached);
  const withFocus = createWithFocus(box);
  const [isChoosing, setIsChoosing] = useState(false);
  const use = (prompt: string): void => {
    draft.value = withPrompt(draft.peek(), prompt);
    setIsChoosing(false);
    // Runs after the closing dialog has restored the focus to its button.
    queueMicrotask(() => box.current?.focus());
  };
  const onKey = ({ key }: { readonly key: string }): boolean =>
    key === "ArrowUp" && draft.peek() === "" && editLast(thread);
  const keys = { onKey, onSend: withFocus(ask), onEscape: busy === null ? undefined : withFocus(stop) };
  return (
    <>
      <form {...takesUploads(attached.uploads)} class="ask" onSubmit={submits(keys.onSend)}>
        <AttachedFiles attached={attached} />
        <TextBox {...keys} box={box} draft={draft} label={texts.write} isTooLong={used > questionLimit.longest} />
        <Action state={busy} fits={fits} onStop={withFocus(stop)} />
        <Beneath used={used} onPrompts={() => setIsChoosing(true)} />
      </form>
      {isChoosing && <PromptsDialog typed={draft.value} onUse={use} onClose={() => setIsChoosing(false)} />}
    </>
  );
}
