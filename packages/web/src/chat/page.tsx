import { useEffect, useMemo } from "preact/hooks";
import { type ReadonlySignal, signal, useSignal } from "@preact/signals";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { conversationPath, type Route } from "../app/route.ts";
import { createChat } from "./state/chat.ts";
import { TwoPanes } from "../ui/panes/two-panes.tsx";
import { ChatContext, type ChatPageState, useChat, useChatSignal } from "./context.ts";
import { ConversationList } from "./conversation-list.tsx";
import type { Render } from "./markdown.ts";
import { Talk } from "./talk.tsx";
import type { Thread } from "./state/thread.ts";
import { useChatTexts } from "./texts.ts";
import "./chat.css";

/** The maximum length of the part of an answer that is announced. */
const readOut = 400;

/** Announces complete answers to screen readers, with their beginnings. Pieces are not announced. */
function Announcements() {
  const { chat } = useChat();
  const texts = useChatTexts();
  const said = useSignal("");
  const ended = chat.ended.value;
  useEffect(() => {
    if (ended === null) return;
    said.value = ended.answer === "" ? texts.ended : texts.replied(ended.answer.slice(0, readOut));
  }, [ended, texts, said]);
  return (
    <div class="unseen" aria-live="polite">
      {said.value}
    </div>
  );
}

/** True if the page shows a new conversation. */
const isBeginning = ({ page, conversationId }: Route): boolean =>
  page === "chat" && (conversationId === null || conversationId === "new");

/** Loads the Markdown renderer in parallel with the conversations. If that fails, the next visit to the page tries again. */
function loadRender(): ReadonlySignal<Render | null> {
  const render = signal<Render | null>(null);
  const load = async (): Promise<void> => {
    const { createRender } = await import("./markdown.ts");
    render.value = createRender();
  };
  load().catch(() => {});
  return render;
}

/** The conversations of the account. They are connected when the page is first shown. */
function useChatState(): ChatPageState {
  const account = useAccount();
  const chatSignal = useChatSignal();
  const { router } = useApp();
  return useMemo(() => {
    const begun = (id: number): void => {
      if (isBeginning(router.route.peek())) router.go(conversationPath(id), "replace");
    };
    const chat = chatSignal.peek() ?? createChat({ account, window, begun });
    chatSignal.value = chat;
    return { chat, render: loadRender() };
  }, [account, chatSignal, router]);
}

/** The conversation that the URL names. */
function useThread({ chat }: ChatPageState, conversationId: string): Thread {
  const key = conversationId === "new" ? "new" : Number(conversationId);
  return useMemo(() => chat.thread(key), [chat, key]);
}

/** The page of conversations: the list, with one conversation next to it. On a phone, the conversation replaces the list. */
export function ChatPage() {
  const { router } = useApp();
  const texts = useTexts();
  const state = useChatState();
  const { conversationId } = router.route.value;
  const thread = useThread(state, conversationId ?? "new");
  return (
    <ChatContext.Provider value={state}>
      <TwoPanes page="chat" title={texts.chat} isReading={conversationId !== null}>
        <ConversationList />
        <Talk thread={thread} />
        <Announcements />
      </TwoPanes>
    </ChatContext.Provider>
  );
}
