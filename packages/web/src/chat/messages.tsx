import { useEffect } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { ReadingArea, ToEnd } from "../ui/lists/reading-area.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import { useChat } from "./context.ts";
import { useChatTexts, useTroubleText } from "./texts.ts";
import type { Message, Thread } from "./state/thread.ts";
import { type Following, useFollowing } from "./use-following.ts";
import { useTarget } from "../ui/lists/use-target.ts";
import { Kept, InProgress } from "./answers.tsx";

function Top({ thread }: { readonly thread: Thread }) {
  const texts = useChatTexts();
  const shared = useTexts();
  const troubleText = useTroubleText();
  const trouble = thread.trouble.value;
  const isFirst = thread.messages.value === null;
  const load = isFirst ? thread.load : thread.loadOlder;
  if (thread.loading.value && (isFirst || thread.more.value)) return <p class="quiet top">{texts.loading}</p>;
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

/** The last reply with its question, if no question follows. */
function useLast({ messages, exchange, failed }: Thread) {
  const [question, answer] = (messages.value ?? []).slice(-2);
  const isLast = answer?.role !== "user" && exchange.value === null && failed.value.length === 0;
  return { last: isLast && question?.role === "user" ? answer : undefined, question };
}

/** The stored messages except those that the question in progress replaces. */
function remaining({ messages, exchange }: Thread): readonly Message[] {
  const { from, to } = exchange.value?.replaces ?? { from: Infinity, to: 0 };
  return (messages.value ?? []).filter(({ id }) => id < from || id > to);
}

interface ColumnProps {
  readonly thread: Thread;
  readonly following: Pick<Following, "view" | "leaveEnd" | "onScroll">;
}

/** Fetches and shows the message that the URL names. Shows it again after its Markdown is rendered. */
function useTargetOf({ thread, following: { view, leaveEnd, onScroll } }: ColumnProps): number | null {
  const { render } = useChat();
  const has = (id: number): boolean => thread.messages.value?.some((message) => message.id === id) ?? false;
  const target = useTarget(has, view, { look: render.value, before: leaveEnd, after: onScroll });
  useEffect(() => {
    if (target !== null) void thread.reach(target);
  }, [thread, target]);
  return target;
}

function KeptMessages({ thread, following }: ColumnProps) {
  const { chat } = useChat();
  const target = useTargetOf({ thread, following });
  const { last, question } = useLast(thread);
  const onAgain = (): void => chat.ask(thread, question?.content ?? "", { files: question?.files ?? [] });
  return (
    <>
      {remaining(thread).map((message) => (
        <Kept
          key={message.id}
          thread={thread}
          message={message}
          isTarget={message.id === target}
          onAgain={message === last ? onAgain : null}
        />
      ))}
    </>
  );
}

function Column({ thread, following }: ColumnProps) {
  const exchange = thread.exchange.value;
  const exchanges = [...thread.failed.value, ...(exchange === null ? [] : [exchange])];
  return (
    <div class="column">
      <Top thread={thread} />
      {thread.id.value === null && exchanges.length === 0 && <Begin />}
      <ol class="messages">
        <KeptMessages thread={thread} following={following} />
        {exchanges.map((one) => (
          <InProgress key={one.identifier} thread={thread} exchange={one} />
        ))}
      </ol>
    </div>
  );
}

/** Scrolls to the end for a new question, and for another conversation if the URL names no message. Replies do not move the view. */
function useEndOnAsking(thread: Thread, toEnd: () => void): void {
  const identifier = thread.exchange.value?.identifier;
  const { route } = useApp().router;
  useEffect(() => {
    if (route.peek().messageId === null) toEnd();
  }, [toEnd, thread, route]);
  useEffect(() => {
    if (identifier !== undefined) toEnd();
  }, [toEnd, identifier]);
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
        <Column thread={thread} following={following} />
      </ReadingArea>
      {!atEnd.value && <ToEnd onClick={toEnd}>{texts.toEnd}</ToEnd>}
    </div>
  );
}
