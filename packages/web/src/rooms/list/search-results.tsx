import { useComputed } from "@preact/signals";
import { useApp, useFormat, useTexts } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { moveFocus } from "../../ui/lists/arrows.ts";
import { EntryLink } from "../../ui/lists/entry-link.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { memo } from "../../ui/lists/memo.ts";
import { Moment } from "../../ui/lists/when.tsx";
import type { Hit } from "../content/api.ts";
import { useRooms } from "../state/context.ts";
import { excerpt } from "../content/excerpt.ts";
import type { Found } from "../state/search.ts";
import { useRoomTexts } from "../content/texts.ts";

function Excerpt({ hit }: { readonly hit: Hit }) {
  const texts = useRoomTexts();
  return (
    <span class="excerpt" dir="auto">
      {excerpt(hit.message.content, hit.matches, texts.summary).map(({ text, isMatch }, index) =>
        isMatch ? <mark key={index}>{text}</mark> : text,
      )}
    </span>
  );
}

/** True if the history is open at this message. */
function useIsOpen({ message: { groupId, messageId } }: Hit): boolean {
  const { route } = useApp().router;
  return useComputed(() => route.value.groupId === groupId && route.value.messageId === messageId).value;
}

/** A search result. It links to the message in the history of its room. */
function DrawnHit({ hit }: { readonly hit: Hit }) {
  const format = useFormat();
  const { groupId, groupName, messageId, nickname, createTime } = hit.message;
  return (
    <EntryLink href={roomPath(groupId, messageId)} name={nickname} isCurrent={useIsOpen(hit)}>
      <Moment at={createTime}>{format.date(createTime)}</Moment>
      <span class="last" dir="auto">
        {groupName}
      </span>
      <Excerpt hit={hit} />
    </EntryLink>
  );
}

const HitEntry = memo(DrawnHit, (a, b) => a.hit === b.hit);

/** Moves between the results with the arrow keys. Above the first result is the box. */
function moveToHit(event: KeyboardEvent): void {
  moveFocus(event, ".hits li", (next, isUp) => {
    const box = isUp ? document.querySelector<HTMLElement>(".search input") : null;
    return next?.querySelector<HTMLElement>("a") ?? box;
  });
}

/** The state of the search in words. */
function State({ found }: { readonly found: Found }) {
  const texts = useRoomTexts();
  const { hits, next, isSearching, isIncomplete, problem } = found;
  const count = hits.length;
  const stand = isSearching ? texts.searching(count) : next === null ? texts.found(count) : texts.foundSoFar(count);
  return (
    <div class="stand" role="status">
      {problem === null && <p class="quiet">{stand}</p>}
      {isIncomplete && <p class="hint">{texts.searchIncomplete}</p>}
    </div>
  );
}

/** Continues a search further back, or repeats a failed step. */
function Further({ found: { next, isSearching, problem } }: { readonly found: Found }) {
  const { search } = useRooms();
  const texts = useRoomTexts();
  const shared = useTexts();
  if (problem !== null) {
    return (
      <p role="alert">
        {shared.problem[problem]} <LinkButton onClick={() => void search.more()}>{shared.tryAgain}</LinkButton>
      </p>
    );
  }
  if (isSearching || next === null) return null;
  return <LinkButton onClick={() => void search.more()}>{texts.searchFurther}</LinkButton>;
}

const Hits = ({ hits }: Pick<Found, "hits">) => (
  // Safari does not treat a list without markers as a list.
  <ol role="list" class="talks hits" onKeyDown={moveToHit}>
    {hits.map((hit) => (
      <HitEntry key={`${hit.message.groupId}/${hit.message.messageId}`} hit={hit} />
    ))}
  </ol>
);

/** The results, newest first. They replace the list of rooms. */
export function SearchResults({ found }: { readonly found: Found }) {
  const { search } = useRooms();
  const texts = useRoomTexts();
  return (
    <section class="results" aria-label={texts.results(found.q)} aria-busy={found.isSearching}>
      <LinkButton onClick={search.clear}>{texts.endSearch}</LinkButton>
      <State found={found} />
      {found.hits.length > 0 && <Hits hits={found.hits} />}
      <Further found={found} />
    </section>
  );
}
