import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { chatHome } from "../app/route.ts";
import { Heading } from "../ui/panes/heading.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Missing } from "../ui/lists/missing.tsx";
import { Ask } from "./ask.tsx";
import { useChat } from "./context.ts";
import { Messages } from "./messages.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";
import { useChatTexts } from "./texts.ts";
import type { Thread } from "./state/thread.ts";

const TalkMenu = createLazy(async () => (await import("./talk-menu.tsx")).TalkMenu);
const SettingDialog = createLazy(async () => (await import("./setting-dialog.tsx")).SettingDialog);

/** The current model. A click opens the settings. */
function ModelButton({ onClick }: { readonly onClick: () => void }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  return (
    <p>
      <LinkButton title={texts.setting} onClick={onClick}>
        {chat.setting.value.model ?? chat.models.value[0]?.model}
        <span class="unseen">{` – ${texts.setting}`}</span>
      </LinkButton>
    </p>
  );
}

/** The line below the title: the model, or the reason why no question can be asked. */
function About() {
  const { chat } = useChat();
  const shared = useTexts();
  const [isSetting, setIsSetting] = useState(false);
  const state = chat.live.state.value;
  return (
    <>
      {state === "live" ? <ModelButton onClick={() => setIsSetting(true)} /> : <p role="status">{shared[state]}</p>}
      {isSetting && <SettingDialog onClose={() => setIsSetting(false)} />}
    </>
  );
}

/** Loads a conversation when it is first shown. If it was created in another window, also loads the list. */
function useConversation(thread: Thread): void {
  const { conversations } = useChat().chat;
  useEffect(() => {
    if (thread.messages.peek() === null && !thread.loading.peek()) void thread.load();
    const id = thread.id.peek();
    const isListed = conversations.list.peek()?.some((each) => each.id === id) ?? true;
    if (id !== null && !isListed) void conversations.load();
  }, [thread, conversations]);
}

export function Talk({ thread }: { readonly thread: Thread }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  useConversation(thread);
  const conversation = chat.conversations.find(thread.id.value ?? 0);
  const title = conversation?.title ?? texts.newConversation;
  const back = { back: chatHome, backLabel: texts.backToList };
  if (thread.trouble.value?.kind === "gone") return <Missing title={texts.gone} lead={texts.goneLead} {...back} />;
  return (
    <section class="talk" aria-label={title}>
      <Heading title={title} about={<About />} {...back}>
        {conversation !== undefined && <TalkMenu conversation={conversation} />}
      </Heading>
      <Messages thread={thread} />
      <Ask thread={thread} />
    </section>
  );
}
