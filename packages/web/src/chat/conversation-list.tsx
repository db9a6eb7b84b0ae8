import type { ConversationView } from "@telex/core";
import { useApp, useFormat, useTexts } from "../context.ts";
import { conversationPath } from "../route.ts";
import { Icon } from "../ui/icon.tsx";
import { useChat } from "./context.ts";
import { Quota } from "./quota.tsx";
import { useChatTexts, useTroubleText } from "./texts.ts";

function Entry({ conversation }: { readonly conversation: ConversationView }) {
  const { chat } = useChat();
  const { router, now } = useApp();
  const format = useFormat();
  const texts = useChatTexts();
  const shared = useTexts();
  const { id, title, lastMessage } = conversation;
  const isCurrent = router.route.value.conversationId === String(id);
  const at = Date.parse(lastMessage);
  const hasDraft = chat.drafts.devices.value.has(String(id));
  return (
    <li>
      <a href={conversationPath(id)} aria-current={isCurrent ? "page" : undefined}>
        <span class="name" dir="auto">
          {title}
        </span>
        <span class="about">
          <time dateTime={lastMessage} title={format.full(at)}>
            {format.ago(at, now.value)}
          </time>
          {chat.isAnswering(id) ? (
            <span class="draft">{texts.answering}</span>
          ) : (
            hasDraft && !isCurrent && <span class="draft">{shared.draft}</span>
          )}
        </span>
      </a>
    </li>
  );
}

function Entries({ list }: { readonly list: readonly ConversationView[] }) {
  return (
    <ul class="talks">
      {list.map((conversation) => (
        <Entry key={conversation.id} conversation={conversation} />
      ))}
    </ul>
  );
}

function Contents() {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const troubleText = useTroubleText();
  const { list, more, trouble, load, loadMore } = chat.conversations;
  if (list.value === null) {
    return (
      <p class="quiet">
        {trouble.value === null ? texts.loadingConversations : `${troubleText(trouble.value)} `}
        {trouble.value !== null && (
          <button type="button" class="link" onClick={() => void load()}>
            {shared.tryAgain}
          </button>
        )}
      </p>
    );
  }
  const active = list.value.filter(({ status }) => status === 0);
  const archived = list.value.filter(({ status }) => status === 1);
  return (
    <>
      {list.value.length === 0 && <p class="quiet">{texts.noConversations}</p>}
      {active.length > 0 && <Entries list={active} />}
      {archived.length > 0 && (
        <details>
          <summary>{texts.archived(archived.length)}</summary>
          <Entries list={archived} />
        </details>
      )}
      {more.value && (
        <button type="button" class="link" onClick={() => void loadMore()}>
          {texts.moreConversations}
        </button>
      )}
    </>
  );
}

/** The conversations of the person, and what is left of their quota. */
export function ConversationList() {
  const texts = useChatTexts();
  return (
    <nav class="talk-list" aria-label={texts.conversations}>
      <header>
        <h2>{texts.conversations}</h2>
        <a class="button" href={conversationPath("new")} aria-label={texts.newConversation}>
          <Icon shape="plus" />
          {texts.begin}
        </a>
      </header>
      <div class="entries">
        <Contents />
      </div>
      <Quota />
    </nav>
  );
}
