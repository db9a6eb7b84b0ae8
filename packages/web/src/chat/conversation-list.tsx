import type { ConversationView } from "@telex/core";
import { useEffect, useState } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { conversationPath } from "../app/route.ts";
import { EntryLink } from "../ui/lists/entry-link.tsx";
import { Filter } from "../ui/lists/filter.tsx";
import { Icon } from "../ui/forms/icon.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Ago } from "../ui/lists/when.tsx";
import { useChat } from "./context.ts";
import { createLazy } from "../ui/panes/lazy.tsx";
import { Quota } from "./quota.tsx";
import { useChatTexts, useTroubleText } from "./texts.ts";

const FoundMessagesList = createLazy(async () => (await import("./found-messages.tsx")).FoundMessagesList);

/** Shows whether a conversation is being answered, or has a draft. */
function Doing({ id, isCurrent }: { readonly id: number; readonly isCurrent: boolean }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const hasDraft = chat.drafts.devices.value.has(String(id));
  if (chat.isAnswering(id)) return <span class="draft">{texts.answering}</span>;
  return hasDraft && !isCurrent ? <span class="draft">{shared.draft}</span> : null;
}

function Entry({ conversation: { id, title, lastMessage } }: { readonly conversation: ConversationView }) {
  const { router } = useApp();
  const isCurrent = router.route.value.conversationId === String(id);
  return (
    <EntryLink href={conversationPath(id)} name={title} isCurrent={isCurrent}>
      <span class="about">
        <Ago at={Date.parse(lastMessage)} />
        <Doing id={id} isCurrent={isCurrent} />
      </span>
    </EntryLink>
  );
}

function Entries({ list }: { readonly list: readonly ConversationView[] }) {
  const entries = list.map((conversation) => <Entry key={conversation.id} conversation={conversation} />);
  return <ul class="talks">{entries}</ul>;
}

/** Replaces the list until it is loaded. */
function NotLoaded() {
  const { trouble, load } = useChat().chat.conversations;
  const texts = useChatTexts();
  const shared = useTexts();
  const troubleText = useTroubleText();
  if (trouble.value === null) return <p class="quiet">{texts.loadingConversations}</p>;
  return (
    <p class="quiet">
      {`${troubleText(trouble.value)} `}
      <LinkButton onClick={() => void load()}>{shared.tryAgain}</LinkButton>
    </p>
  );
}

function Archive({ list }: { readonly list: readonly ConversationView[] }) {
  const texts = useChatTexts();
  return (
    <details>
      <summary>{texts.archived(list.length)}</summary>
      <Entries list={list} />
    </details>
  );
}

/** The maximum length of a query, in code points. */
const longestQuery = 128;

/** The conversations whose titles contain these words. The first query loads all conversations. */
function useFound(list: readonly ConversationView[]) {
  const { loadAll, more } = useChat().chat.conversations;
  const [typed, setTyped] = useState("");
  const query = typed.trim().toLocaleLowerCase();
  const isFinding = query !== "";
  useEffect(() => {
    if (isFinding && more.peek()) void loadAll();
  }, [isFinding, loadAll, more]);
  return { typed, setTyped, isFinding, found: list.filter(({ title }) => title.toLocaleLowerCase().includes(query)) };
}

function More() {
  const { more, loadMore } = useChat().chat.conversations;
  const { moreConversations } = useChatTexts();
  return more.value && <LinkButton onClick={() => void loadMore()}>{moreConversations}</LinkButton>;
}

function Loaded({ list }: { readonly list: readonly ConversationView[] }) {
  const texts = useChatTexts();
  const { typed, setTyped, isFinding, found } = useFound(list);
  const active = found.filter(({ status }) => status === 0);
  const archived = found.filter(({ status }) => status === 1);
  if (list.length === 0) return <p class="quiet">{texts.noConversations}</p>;
  return (
    <>
      <Filter label={texts.findConversation} value={typed} longest={longestQuery} onValue={setTyped} />
      {found.length === 0 && <p class="quiet">{texts.noneFound}</p>}
      {active.length > 0 && <Entries list={active} />}
      {archived.length > 0 && <Archive list={archived} />}
      <More />
      {isFinding && <FoundMessagesList q={typed.trim()} />}
    </>
  );
}

function Contents() {
  const list = useChat().chat.conversations.list.value;
  return list === null ? <NotLoaded /> : <Loaded list={list} />;
}

function BeginLink() {
  const texts = useChatTexts();
  return (
    <a class="button" href={conversationPath("new")} aria-label={texts.newConversation}>
      <Icon shape="plus" />
      {texts.begin}
    </a>
  );
}

/** The conversations of the person, and the remaining quota. */
export function ConversationList() {
  const texts = useChatTexts();
  return (
    <nav class="talk-list" aria-label={texts.conversations}>
      <header>
        <h2>{texts.conversations}</h2>
        <BeginLink />
      </header>
      <div class="entries">
        <Contents />
      </div>
      <Quota />
    </nav>
  );
}
