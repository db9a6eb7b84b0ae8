import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useApp, useFormat, useTexts } from "../context.ts";
import { Tape } from "../ui/tape.tsx";
import { Icon } from "../ui/icon.tsx";
import { useChat } from "./context.ts";
import { Reply } from "./reply.tsx";
import { useChatTexts, useTroubleText } from "./texts.ts";
import type { Exchange, Message, Thread } from "./thread.ts";
import { useFollowing } from "./use-following.ts";

function CopyButton({ text }: { readonly text: string }) {
  const texts = useTexts();
  const { notices } = useApp();
  // Browsers keep the clipboard from pages that came over plain HTTP.
  if (!("clipboard" in navigator)) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    notices.say(texts.copied);
  };
  return (
    <button type="button" class="link" onClick={() => void copy()}>
      {texts.copy}
    </button>
  );
}

function Question({ text, at }: { readonly text: string; readonly at?: string }) {
  const texts = useChatTexts();
  const format = useFormat();
  return (
    <li class="question">
      <p class="who">
        <span>{texts.you}</span>
        {at !== undefined && (
          <time dateTime={at} title={format.full(Date.parse(at))}>
            {format.time(Date.parse(at))}
          </time>
        )}
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
        {onAgain !== null && (
          <button type="button" class="link" onClick={onAgain}>
            {texts.askAgain}
          </button>
        )}
        <CopyButton text={message.content} />
      </p>
    </Answer>
  );
}

function Failed({ thread, exchange }: { readonly thread: Thread; readonly exchange: Exchange }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const troubleText = useTroubleText();
  const { question, trouble } = exchange;
  const again = (): void => {
    chat.discard(thread);
    chat.ask(thread, question);
  };
  const edit = (): void => {
    const draft = chat.drafts.of(String(thread.id.peek() ?? "new"));
    draft.value = draft.value === "" ? question : `${question}\n${draft.value}`;
    chat.discard(thread);
    document.querySelector<HTMLElement>(".ask textarea")?.focus();
  };
  return (
    <div class="failed" role="alert">
      <p>{trouble === null ? texts.stoppedEmpty : troubleText(trouble)}</p>
      <p class="actions">
        <button type="button" onClick={again}>
          {texts.askAgain}
        </button>
        <button type="button" onClick={edit}>
          {shared.editAgain}
        </button>
        <button type="button" onClick={() => chat.discard(thread)}>
          {shared.discard}
        </button>
      </p>
    </div>
  );
}

function UnderWay({ thread, exchange }: { readonly thread: Thread; readonly exchange: Exchange }) {
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
  if (trouble !== null) {
    return (
      <p class="quiet top">
        {troubleText(trouble)}{" "}
        <button type="button" class="link" onClick={() => void load()}>
          {shared.tryAgain}
        </button>
      </p>
    );
  }
  if (!thread.more.value) return null;
  return (
    <p class="quiet top">
      <button type="button" class="link" onClick={() => void load()}>
        {texts.older}
      </button>
    </p>
  );
}

/** What was asked and answered, and what is being answered. */
export function Messages({ thread }: { readonly thread: Thread }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const messages = thread.messages.value ?? [];
  const exchange = thread.exchange.value;
  const { view, atEnd, onScroll, toEnd } = useFollowing(messages[0]?.id);
  // A question that is asked, or another conversation, is looked at from its end; one that is answered stays as it is.
  const asked = exchange?.identifier;
  useEffect(toEnd, [toEnd, thread]);
  useEffect(() => {
    if (asked !== undefined) toEnd();
  }, [toEnd, asked]);
  const [question, answer] = messages.slice(-2);
  const isBroken = exchange === null && (answer?.finishReason === "failed" || answer?.finishReason === "stopped");
  const onAgain = (): void => chat.ask(thread, question?.content ?? "");
  const isEmpty = thread.id.value === null && exchange === null;
  return (
    <div class="ground">
      {/* It can also be scrolled with a keyboard only. */}
      <div class="scroll" ref={view} onScroll={onScroll} tabIndex={0} role="region" aria-label={texts.messages}>
        <div class="column">
          <Top thread={thread} />
          {isEmpty && (
            <div class="begin">
              <Tape>{"  TELEX  "}</Tape>
              <p class="quiet">{texts.newLead}</p>
            </div>
          )}
          <ol class="messages">
            {messages.map((message) => (
              <Kept key={message.id} message={message} onAgain={isBroken && message === answer ? onAgain : null} />
            ))}
            {exchange !== null && <UnderWay key="exchange" thread={thread} exchange={exchange} />}
          </ol>
        </div>
      </div>
      {!atEnd.value && (
        <button type="button" class="below" onClick={toEnd}>
          <Icon shape="down" />
          {texts.toEnd}
        </button>
      )}
    </div>
  );
}
