import type { ComponentChildren } from "preact";
import { useTexts } from "../app/context.ts";
import { CopyButton } from "../ui/forms/copy-button.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Actions } from "../ui/lists/actions.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";
import { TimeOfDay } from "../ui/lists/when.tsx";
import { ToolAsked, ToolCalls } from "../ui/panes/tool-calls.tsx";
import { useChat } from "./context.ts";
import { Reply } from "./reply.tsx";
import { useChatTexts, useTroubleText } from "./texts.ts";
import type { Exchange, Message, Thread } from "./state/thread.ts";

const QuestionFiles = createLazy(async () => (await import("./question-files.tsx")).QuestionFiles);
const EditQuestion = createLazy(async () => (await import("./edit-question.tsx")).EditQuestion);

interface Entry {
  readonly id: number;
  /** True if the URL names this message. */
  readonly isTarget: boolean;
}

const entryOf = (kind: "question" | "answer", entry: Entry | undefined) => ({
  class: entry?.isTarget === true ? `${kind} target` : kind,
  "data-id": entry?.id,
  ...(entry?.isTarget === true && { tabIndex: -1 }),
});

interface QuestionProps {
  readonly text: string;
  readonly entry?: Entry;
  readonly at?: string;
  readonly onEdit?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

function Question({ text, entry, at, onEdit, children }: QuestionProps) {
  const texts = useChatTexts();
  const { editAgain } = useTexts();
  return (
    <li {...entryOf("question", entry)}>
      <p class="who">
        <span>{texts.you}</span>
        {at !== undefined && <TimeOfDay at={Date.parse(at)} />}
        {onEdit !== undefined && (
          <LinkButton aria-label={texts.editOf(text.slice(0, 60))} onClick={onEdit}>
            {editAgain}
          </LinkButton>
        )}
      </p>
      <p class="words" dir="auto">
        {text}
      </p>
      {children}
    </li>
  );
}

interface AnswerProps {
  readonly model: string;
  readonly text: string;
  readonly entry?: Entry;
  readonly children?: ComponentChildren;
}

const Answer = ({ model, text, entry, children }: AnswerProps) => (
  <li {...entryOf("answer", entry)}>
    <p class="who">
      <span>{model}</span>
    </p>
    {text !== "" && <Reply text={text} />}
    {children}
  </li>
);

/** The reason why an answer is incomplete, if it is. */
function Finish({ reason }: { readonly reason: string | null }) {
  const { finish } = useChatTexts();
  const match = Object.entries(finish).find(([name]) => name === reason);
  return match === undefined ? null : <p class="note">{match[1]}</p>;
}

interface KeptProps {
  readonly thread: Thread;
  readonly message: Message;
  /** True if the URL names this message. */
  readonly isTarget: boolean;
  /** Asks the question again, if this is the last answer. */
  readonly onAgain: (() => void) | null;
}

/** Appends a question to the draft. */
function useRephrase({ id }: Pick<Thread, "id">) {
  const { drafts } = useChat().chat;
  return (question: string): void => {
    drafts.putBack(String(id.peek() ?? "new"), question);
    document.querySelector<HTMLElement>(".ask textarea")?.focus();
  };
}

/** True for an incomplete answer. */
const isBroken = ({ finishReason }: Message): boolean => finishReason === "failed" || finishReason === "stopped";

/** A stored question, which can be edited while no reply is in progress. */
function KeptQuestion({ thread, message, isTarget }: Omit<KeptProps, "onAgain">) {
  const { id, content, files, createdAt } = message;
  const entry = { id, isTarget };
  const editing = thread.editing.value;
  if (editing?.id === id) return <EditQuestion thread={thread} message={message} editing={editing} />;
  const edit = (): void => void (thread.editing.value = { id, words: content });
  return (
    <Question text={content} entry={entry} at={createdAt} onEdit={thread.exchange.value === null ? edit : undefined}>
      {files !== undefined && <QuestionFiles files={files} />}
    </Question>
  );
}

export function Kept({ thread, message, isTarget, onAgain }: KeptProps) {
  const texts = useChatTexts();
  if (message.role === "user") return <KeptQuestion thread={thread} message={message} isTarget={isTarget} />;
  return (
    <Answer model={message.model} text={message.content} entry={{ id: message.id, isTarget }}>
      <ToolCalls calls={message.tools ?? []} texts={texts.tools} />
      <Finish reason={message.finishReason} />
      <p class="after">
        {onAgain !== null && (
          <LinkButton onClick={onAgain}>{isBroken(message) ? texts.askAgain : texts.regenerate}</LinkButton>
        )}
        <CopyButton text={message.content} look="link" />
      </p>
    </Answer>
  );
}

/** The actions for a failed question. */
function useFailed(thread: Thread, { question, replaces, files, identifier }: Exchange) {
  const { chat } = useChat();
  const rephrase = useRephrase(thread);
  const discard = (): void => chat.discard(thread, identifier);
  const again = (): void => {
    discard();
    chat.ask(thread, question, { replaces, files });
  };
  const edited = thread.messages.value?.find(({ id }) => id === replaces?.from);
  const edit = (): void => {
    if (edited !== undefined && thread.editing.peek() === null)
      return void (thread.editing.value = { id: edited.id, words: question, failed: identifier });
    discard();
    rephrase(question);
  };
  return { again, edit, discard };
}

function Failed({ thread, exchange }: InProgressProps) {
  const texts = useChatTexts();
  const shared = useTexts();
  const troubleText = useTroubleText();
  const { again, edit, discard } = useFailed(thread, exchange);
  const { trouble } = exchange;
  const actions = [
    ...(thread.exchange.value === null ? [{ name: texts.askAgain, onChoose: again }] : []),
    { name: shared.editAgain, onChoose: edit },
    { name: shared.discard, onChoose: discard },
  ];
  return (
    <div class="failed" role="alert">
      <p>{trouble === null ? texts.stoppedEmpty : troubleText(trouble)}</p>
      <Actions actions={actions} />
    </div>
  );
}

interface InProgressProps {
  readonly thread: Thread;
  readonly exchange: Exchange;
}

export function InProgress({ thread, exchange }: InProgressProps) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const { state, answer, question, files } = exchange;
  return (
    <>
      <Question text={question}>
        {files.length > 0 && <p class="note">{files.map(({ name }) => name).join(", ")}</p>}
      </Question>
      <Answer model={chat.setting.value.model ?? chat.models.value[0]?.model ?? texts.model} text={answer}>
        {state === "failed" && <Failed thread={thread} exchange={exchange} />}
        {exchange.requests.map((call) => (
          <ToolAsked
            key={call.callId}
            call={call}
            texts={texts.tools}
            onAnswer={(allow) => chat.permit(thread, call.callId, allow)}
          />
        ))}
        {state === "asking" && exchange.requests.length === 0 && <p class="note thinking">{texts.thinking}</p>}
        {state === "stopping" && <p class="note">{texts.stopping}</p>}
      </Answer>
    </>
  );
}
