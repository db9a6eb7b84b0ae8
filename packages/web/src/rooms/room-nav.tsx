import { useComputed } from "@preact/signals";
import { useApp, useTexts } from "../app/context.ts";
import { roomPath } from "../app/route.ts";
import { Command } from "../ui/forms/command.tsx";
import { CountBadge } from "../ui/lists/count-badge.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { memo } from "../ui/lists/memo.ts";
import { Ago } from "../ui/lists/when.tsx";
import type { RoomView } from "./content/api.ts";
import { readContent, summarise } from "./content/content.ts";
import { useRooms } from "./state/context.ts";
import { NotifyButton } from "./notify-button.tsx";
import { SearchForm } from "./search-form.tsx";
import { SearchResults } from "./search-results.tsx";
import { useRoomTexts } from "./content/texts.ts";

/** Shows if the bot of a room of another network is connected. */
export function BotPresence({ bot }: Pick<RoomView, "bot">) {
  const texts = useRoomTexts();
  if (bot === null) return null;
  return <span class={bot.online ? "presence on" : "presence"}>{bot.online ? texts.botOnline : texts.botOffline}</span>;
}

/** The last message, or the draft. */
function Last({ room, hasDraft }: { readonly room: RoomView; readonly hasDraft: boolean }) {
  const texts = useRoomTexts();
  const shared = useTexts();
  const { lastMessage } = room;
  if (hasDraft) return <span class="last draft">{shared.draft}</span>;
  if (lastMessage === null) return room.bot === null ? <span class="last" /> : null;
  const words = summarise(readContent(lastMessage.content), texts.summary);
  return <span class="last" dir="auto">{`${lastMessage.nickname}: ${words}`}</span>;
}

/** The state of the page that the entry of a room depends on. */
function useEntry(groupId: number) {
  const { router } = useApp();
  const { drafts } = useRooms();
  const isCurrent = useComputed(() => router.route.value.groupId === groupId).value;
  const isWritten = useComputed(() => drafts.devices.value.has(String(groupId))).value;
  return { isCurrent, hasDraft: isWritten && !isCurrent };
}

/** The picture and the name of a room. */
function Face({ room: { avatar, groupName } }: { readonly room: RoomView }) {
  return (
    <>
      <img class="avatar" src={`${avatar}&size=80`} alt="" loading="lazy" width={40} height={40} />
      <span class="name" dir="auto">
        {groupName}
      </span>
    </>
  );
}

function DrawnEntry({ room }: { readonly room: RoomView }) {
  const texts = useRoomTexts();
  const { groupId, lastMessage, unread, bot } = room;
  const { isCurrent, hasDraft } = useEntry(groupId);
  return (
    <li>
      <a href={roomPath(groupId)} aria-current={isCurrent ? "page" : undefined}>
        <Face room={room} />
        {lastMessage !== null && <Ago at={lastMessage.createTime} />}
        <Last room={room} hasDraft={hasDraft} />
        <CountBadge count={unread} words={texts.unread(unread)} />
        <BotPresence bot={bot} />
      </a>
    </li>
  );
}

/** One of perhaps hundreds: what happens in one room draws that one. */
const Entry = memo(DrawnEntry, (a, b) => a.room === b.room);

function NoRooms() {
  const texts = useRoomTexts();
  return (
    <div class="no-rooms">
      <h3>{texts.noRooms}</h3>
      <p>{texts.noRoomsLead}</p>
      <Command>telex group add --type 1 --name Lounge --member 1</Command>
    </div>
  );
}

function Listed({ rooms }: { readonly rooms: readonly RoomView[] }) {
  const { list } = useRooms();
  const texts = useRoomTexts();
  const loadMore = (): void => void list.loadMore().catch(() => {});
  return (
    <>
      <ul class="talks">
        {rooms.map((room) => (
          <Entry key={room.groupId} room={room} />
        ))}
      </ul>
      {list.more.value && <LinkButton onClick={loadMore}>{texts.moreRooms}</LinkButton>}
    </>
  );
}

/** In the place of a list that is not there yet. */
function NotLoaded() {
  const { live } = useRooms();
  const texts = useRoomTexts();
  const { offline } = useTexts();
  return <p class="quiet">{live.state.value === "offline" ? offline : texts.loadingRooms}</p>;
}

function AllRooms() {
  const rooms = useRooms().list.rooms.value;
  if (rooms === null) return <NotLoaded />;
  return rooms.length === 0 ? <NoRooms /> : <Listed rooms={rooms} />;
}

/** The rooms, or the results of a search. */
function Entries() {
  const found = useRooms().search.found.value;
  return found === null ? <AllRooms /> : <SearchResults found={found} />;
}

/** The rooms of the person with their unread counts, or the results of a search. */
export function RoomNav() {
  const texts = useTexts();
  return (
    <nav class="room-list" aria-label={texts.rooms}>
      <header>
        <h2>{texts.rooms}</h2>
        <NotifyButton />
      </header>
      <SearchForm />
      <div class="entries">
        <Entries />
      </div>
    </nav>
  );
}
