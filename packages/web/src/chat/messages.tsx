import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { CopyButton } from "../ui/forms/copy-button.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { ReadingArea, ToEnd } from "../ui/lists/reading-area.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import { Actions } from "../ui/lists/actions.tsx";
import { TimeOfDay } from "../ui/lists/when.tsx";
import { useChat } from "./context.ts";
import { Reply } from "./reply.tsx";
import { useChatTexts, useTroubleText } from "./texts.ts";
import type { Exchange, Message, Thread } from "./thread.ts";
import { useFollowing } from "./use-following.ts";

function Question({ text, at }: { readonly text: string; readonly at?: string }) {
  const texts = useChatTexts();
  return (
    <li class="question">
      <p class="who">
        <span>{texts.you}</span>
        {at !== undefined && <TimeOfDay at={Date.parse(at)} />}
      </p>
      <p class="words" dir="auto">
        {text}
      </p>
    </li>
  );
}

interface AnswerProps {
  readonly model: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

function Answer({ model, text, children }: AnswerProps) {
  return (
    <li class="answer">
      <p class="who">
        <span>{model}</span>
      </p>
      {text !== "" && <Reply text={text} />}
      {children}
    </li>
  );
}

/** Why an answer is not whole, where it is not. */
function Finish({ reason }: { readonly reason: string | null }) {
  const { finish } = useChatTexts();
  const told = Object.entries(finish).find(([name]) => name === reason);
  return told === undefined ? null : <p class="note">{told[1]}</p>;
}

interface KeptProps {
  readonly message: Message;
  /** Asks the same again, where this is the last answer and broke off. */
  readonly onAgain: (() => void) | null;
}

function Kept({ message, onAgain }: KeptProps) {
  const texts = useChatTexts();
  if (message.role === "user") return <Question text={message.content} at={message.createdAt} />;
  return (
    <Answer model={message.model} text={message.content}>
      <Finish reason={message.finishReason} />
      <p class="after">
        {onAgain !== null && <LinkButton onClick={onAgain}>{texts.askAgain}</LinkButton>}
        <CopyButton text={message.content} look="link" />
      </p>
    </Answer>
  );
}

/** The actions on a question that failed. */
function useFailed(thread: Thread, { question, identifier }: Exchange) {
  const { chat } = useChat();
  const discard = (): void => chat.discard(thread, identifier);
  const again = (): void => {
    discard();
    chat.ask(thread, question);
  };
  const edit = (): void => {
    chat.drafts.putBack(String(thread.id.peek() ?? "new"), question);
    discard();
    document.querySelector<HTMLElement>(".ask textarea")?.focus();
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

function InProgress({ thread, exchange }: InProgressProps) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const { state, answer, question } = exchange;
  return (
    <>
      <Question text={question} />
      <Answer model={chat.setting.value.model ?? chat.models.value[0]?.model ?? texts.model} text={answer}>
        {state === "failed" && <Failed thread={thread} exchange={exchange} />}
        {state === "asking" && <p class="note thinking">{texts.thinking}</p>}
        {state === "stopping" && <p class="note">{texts.stopping}</p>}
      </Answer>
    </>
  );
}

function Top({ thread }: { readonly thread: Thread }) {
  const texts = useChatTexts();
  const shared = useTexts();
  const troubleText = useTroubleText();
  const trouble = thread.trouble.value;
  const load = thread.messages.value === null ? thread.load : thread.loadOlder;
  if (thread.loading.value && (thread.messages.value === null || thread.more.value)) {
    return <p class="quiet top">{texts.loading}</p>;
  }
  if (trouble === null && !thread.more.value) return null;
  return (
    <p class="quiet top">
      {trouble !== null && `${troubleText(trouble)} `}
      <LinkButton onClick={() => void load()}>{trouble === null ? texts.older : shared.tryAgain}</LinkButton>
    </p>
  );
}

function Begin() {
  const texts = useChatTexts();
  return (
    <div class="begin">
      <Tape>{"  TELEX  "}</Tape>
      <p class="quiet">{texts.newLead}</p>
    </div>
  );
}

/** The last reply, if it ended early and no question follows it; and the call that asks for it again. */
function useBroken({ messages, exchange, failed }: Thread) {
  const [question, answer] = (messages.value ?? []).slice(-2);
  const isBroken = answer?.finishReason === "failed" || answer?.finishReason === "stopped";
  const isLast = exchange.value === null && failed.value.length === 0;
  return { broken: isBroken && isLast ? answer : undefined, question: question?.content ?? "" };
}

/** The stored messages of a conversation. */
function KeptMessages({ thread }: { readonly thread: Thread }) {
  const { chat } = useChat();
  const { broken, question } = useBroken(thread);
  const onAgain = (): void => chat.ask(thread, question);
  return (
    <>
      {thread.messages.value?.map((message) => (
        <Kept key={message.id} message={message} onAgain={message === broken ? onAgain : null} />
      ))}
    </>
  );
}

function Column({ thread }: { readonly thread: Thread }) {
  const exchange = thread.exchange.value;
  const asked = [...thread.failed.value, ...(exchange === null ? [] : [exchange])];
  return (
    <div class="column">
      <Top thread={thread} />
      {thread.id.value === null && asked.length === 0 && <Begin />}
      <ol class="messages">
        <KeptMessages thread={thread} />
        {asked.map((one) => (
          <InProgress key={one.identifier} thread={thread} exchange={one} />
        ))}
      </ol>
    </div>
  );
}

/** Goes to the end for a question that is asked, and for another conversation; what is answered stays where it is. */
function useEndOnAsking(thread: Thread, toEnd: () => void): void {
  const asked = thread.exchange.value?.identifier;
  useEffect(toEnd, [toEnd, thread]);
  useEffect(() => {
    if (asked !== undefined) toEnd();
  }, [toEnd, asked]);
}

/** The stored messages, and the reply in progress. */
export function Messages({ thread }: { readonly thread: Thread }) {
  const texts = useChatTexts();
  const following = useFollowing(thread.messages.value?.[0]?.id);
  const { atEnd, toEnd } = following;
  useEndOnAsking(thread, toEnd);
  return (
    <div class="ground">
      <ReadingArea class="scroll" label={texts.messages} reading={following}>
        <Column thread={thread} />
      </ReadingArea>
      {!atEnd.value && <ToEnd onClick={toEnd}>{texts.toEnd}</ToEnd>}
    </div>
  );
}
