import { useEffect, useMemo } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useFormat, useTexts } from "../app/context.ts";
import { conversationPath } from "../app/route.ts";
import { typingPause } from "../base/typing-pause.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { EntryLink } from "../ui/lists/entry-link.tsx";
import { Moment } from "../ui/lists/when.tsx";
import { createMessageSearch, type FoundMessage, type FoundMessages, type MessageSearch } from "./state/search.ts";
import { useChatTexts } from "./texts.ts";

/** The text around the words, with the words marked. */
function Excerpt({ hit: { excerpt, matches } }: { readonly hit: FoundMessage }) {
  const marked = matches.filter(({ start }, index) => start >= (matches[index - 1]?.end ?? 0));
  const end = marked.at(-1)?.end ?? 0;
  return (
    <span class="excerpt" dir="auto">
      {marked.map(({ start, end: behind }, index) => [
        excerpt.slice(marked[index - 1]?.end ?? 0, start),
        <mark key={start}>{excerpt.slice(start, behind)}</mark>,
      ])}
      {excerpt.slice(end)}
    </span>
  );
}

/** A search result. It links to the message in its conversation. */
function Hit({ hit }: { readonly hit: FoundMessage }) {
  const format = useFormat();
  const texts = useChatTexts();
  const { conversationId, messageId } = useApp().router.route.value;
  const at = Date.parse(hit.createdAt);
  const isCurrent = conversationId === String(hit.conversationId) && messageId === hit.messageId;
  return (
    <EntryLink href={conversationPath(hit.conversationId, hit.messageId)} name={hit.title} isCurrent={isCurrent}>
      <span class="about">
        <span>{hit.role === "user" ? texts.you : texts.model}</span>
        <Moment at={at}>{format.date(at)}</Moment>
      </span>
      <Excerpt hit={hit} />
    </EntryLink>
  );
}

interface StandProps {
  readonly found: FoundMessages;
  readonly more: () => void;
}

/** The state of the search. */
function useStand({ hits, next, isSearching, problem }: FoundMessages): string {
  const [texts, shared] = [useChatTexts(), useTexts()];
  if (problem !== null) return shared.problem[problem];
  if (isSearching) return texts.searchingMessages;
  return next === null ? texts.foundMessages(hits.length) : texts.foundSoFar(hits.length);
}

/** Continues the search further back, or repeats a failed step. */
function Further({ found: { next, isSearching, problem }, more }: StandProps) {
  const texts = useChatTexts();
  const { tryAgain } = useTexts();
  if (problem !== null) return <LinkButton onClick={more}>{tryAgain}</LinkButton>;
  return next !== null && !isSearching ? <LinkButton onClick={more}>{texts.searchFurther}</LinkButton> : null;
}

const Hits = ({ hits }: Pick<FoundMessages, "hits">) => (
  <ul class="talks">
    {hits.map((hit) => (
      <Hit key={`${hit.conversationId}/${hit.messageId}`} hit={hit} />
    ))}
  </ul>
);

/** Searches for the typed text after a pause in typing. */
function useSearch(q: string): MessageSearch {
  const { ai } = useAccount().server;
  const search = useMemo(() => createMessageSearch(ai), [ai]);
  useEffect(() => {
    const timer = setTimeout(() => search.start(q), typingPause);
    return () => clearTimeout(timer);
  }, [search, q]);
  return search;
}

/** The questions and answers that contain these words, below the conversations whose titles contain them. */
export function FoundMessagesList({ q }: { readonly q: string }) {
  const texts = useChatTexts();
  const search = useSearch(q);
  const hits = search.found.value;
  const stand = useStand(hits);
  return (
    <section class="found-messages" aria-label={texts.inMessages} aria-busy={hits.isSearching}>
      <h3>{texts.inMessages}</h3>
      {hits.hits.length > 0 && <Hits hits={hits.hits} />}
      <p class="quiet" role="status">
        {stand}
      </p>
      <Further found={hits} more={search.more} />
    </section>
  );
}
