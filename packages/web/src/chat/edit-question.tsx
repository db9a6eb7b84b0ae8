import { useSignal } from "@preact/signals";
import { submits } from "../ui/forms/form.ts";
import { FormActions } from "../ui/forms/form-actions.tsx";
import { LateCounter } from "../ui/forms/late-counter.tsx";
import { TextBox } from "../ui/forms/text-box.tsx";
import { useFocusedBox } from "../ui/forms/typing.ts";
import { useChat } from "./context.ts";
import { questionLengthOf, questionLimit } from "./state/exchange.ts";
import type { Editing, Message, Thread } from "./state/thread.ts";
import { useChatTexts } from "./texts.ts";

interface EditProps {
  readonly thread: Thread;
  readonly message: Message;
  readonly editing: Editing;
}

/** The edited text, and the entries that asking it replaces: the question and everything after it. */
function useEdit({ thread, message, editing: { words, failed } }: EditProps) {
  const { chat } = useChat();
  const draft = useSignal(words);
  const messages = thread.messages.value ?? [];
  const to = messages.at(-1)?.id ?? message.id;
  const used = questionLengthOf(draft.value);
  const isReady = draft.value.trim() !== "" && used <= questionLimit.longest && thread.exchange.value === null;
  const close = (): void => {
    thread.editing.value = null;
    document.querySelector<HTMLElement>(".ask textarea")?.focus();
  };
  const ask = (): void => {
    if (!isReady) return;
    close();
    if (failed !== undefined) chat.discard(thread, failed);
    chat.ask(thread, draft.peek(), { replaces: { from: message.id, to }, files: message.files ?? [] });
  };
  return { draft, used, isReady, removed: messages.filter(({ id }) => id > message.id).length, close, ask };
}

/** Edits a question in place. It shows how many entries asking will replace. */
export function EditQuestion(props: EditProps) {
  const texts = useChatTexts();
  const { you, editLabel, editRemoves } = texts;
  const { draft, used, isReady, removed, close, ask } = useEdit(props);
  const box = useFocusedBox();
  const isTooLong = used > questionLimit.longest;
  return (
    <li class="question">
      <p class="who">
        <span>{you}</span>
      </p>
      <form class="editing" onSubmit={submits(ask)}>
        <TextBox {...{ box, draft, isTooLong }} label={editLabel} describedBy="removes" onSend={ask} onEscape={close} />
        <LateCounter used={used} limit={questionLimit} look="count" />
        <p class="note" id="removes">
          {editRemoves(removed)}
        </p>
        <FormActions submit={texts.ask} busy={false} isReady={isReady} onCancel={close} />
      </form>
    </li>
  );
}
