import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import { chatHome } from "../route.ts";
import { Icon } from "../ui/icon.tsx";
import { Ask } from "./ask.tsx";
import { useChat } from "./context.ts";
import { Messages } from "./messages.tsx";
import { SettingDialog } from "./setting-dialog.tsx";
import { TalkMenu } from "./talk-menu.tsx";
import { useChatTexts } from "./texts.ts";
import type { Thread } from "./thread.ts";

function Heading({ thread }: { readonly thread: Thread }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const [isSetting, setIsSetting] = useState(false);
  const id = thread.id.value;
  const conversation = id === null ? undefined : chat.conversations.find(id);
  const state = chat.live.state.value;
  const model = chat.setting.value.model ?? chat.models.value[0]?.model;
  return (
    <header class="heading">
      <a class="button plain back" href={chatHome} aria-label={texts.backToList}>
        <Icon shape="back" />
      </a>
      <div class="title">
        <h2 dir="auto">{conversation?.title ?? texts.newConversation}</h2>
        {state === "live" ? (
          <p>
            <button type="button" class="link" title={texts.setting} onClick={() => setIsSetting(true)}>
              {model}
              <span class="unseen">{` – ${texts.setting}`}</span>
            </button>
          </p>
        ) : (
          <p role="status">{shared[state]}</p>
        )}
      </div>
      {conversation !== undefined && <TalkMenu conversation={conversation} />}
      {isSetting && <SettingDialog onClose={() => setIsSetting(false)} />}
    </header>
  );
}

function Gone() {
  const texts = useChatTexts();
  return (
    <section class="blank">
      <h2>{texts.gone}</h2>
      <p>{texts.goneLead}</p>
      <a class="button" href={chatHome}>
        {texts.backToList}
      </a>
    </section>
  );
}

/** One conversation. */
export function Talk({ thread }: { readonly thread: Thread }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const id = thread.id.value;
  const title = (id === null ? undefined : chat.conversations.find(id)?.title) ?? texts.newConversation;
  useEffect(() => {
    if (thread.messages.peek() === null && !thread.loading.peek()) void thread.load();
  }, [thread]);
  if (thread.trouble.value?.kind === "gone") return <Gone />;
  return (
    <section class="talk" aria-label={title}>
      <Heading thread={thread} />
      <Messages thread={thread} />
      <Ask thread={thread} />
    </section>
  );
}
