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

/** Characters of an answer that are read out. */
const readOut = 400;

/** Says politely that an answer is complete, and how it begins; never piece by piece. */
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

/** True if the page shows the conversation that begins. */
const isBeginning = ({ page, conversationId }: Route): boolean =>
  page === "chat" && (conversationId === null || conversationId === "new");

/** Makes Markdown safe to show: loaded next to the conversations, and again with the page if that fails. */
function loadRender(): ReadonlySignal<Render | null> {
  const render = signal<Render | null>(null);
  const load = async (): Promise<void> => {
    const { createRender } = await import("./markdown.ts");
    render.value = createRender();
  };
  load().catch(() => {});
  return render;
}

/** The conversations of the account, connected when the page is first shown. */
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

/** The conversation that an address names. */
function useThread({ chat }: ChatPageState, conversationId: string): Thread {
  const key = conversationId === "new" ? "new" : Number(conversationId);
  return useMemo(() => chat.thread(key), [chat, key]);
}

/** The conversations with models: the list, and next to it (on a phone: instead of it) one of them. */
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
