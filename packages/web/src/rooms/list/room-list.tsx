import { useState } from "preact/hooks";
import { Button } from "../../ui/forms/button.tsx";
import { Waiting } from "../../ui/lists/waiting.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import { mentionsIn } from "../state/listed-rooms.ts";
import { Entry } from "./entry.tsx";

const Entries = ({ rooms }: { readonly rooms: readonly RoomView[] }) => (
  <ul class="talks">
    {rooms.map((room) => (
      <Entry key={room.groupId} room={room} />
    ))}
  </ul>
);

/** The archived rooms, below the others. */
function Archived({ rooms }: { readonly rooms: readonly RoomView[] }) {
  const texts = useRoomTexts();
  const [isOpen, setOpen] = useState(false);
  if (rooms.length === 0) return null;
  return (
    <>
      <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {texts.archivedRooms(rooms.length)}
      </LinkButton>
      {isOpen && <Entries rooms={rooms} />}
    </>
  );
}

type Filter = "all" | "unread" | "mentions";

interface ChipsProps {
  readonly names: Readonly<Record<Filter, string>>;
  readonly chosen: Filter;
  readonly onChoose: (filter: Filter) => void;
}

const filters: readonly Filter[] = ["all", "unread", "mentions"];

/** Filters the list: all rooms, rooms with unread messages, or rooms with unread mentions. */
const Chips = ({ names, chosen, onChoose }: ChipsProps) => (
  <div class="chips">
    {filters.map((filter) => (
      <Button key={filter} class="chip" aria-pressed={filter === chosen} onClick={() => onChoose(filter)}>
        {names[filter]}
      </Button>
    ))}
  </div>
);

/** The number of rooms from which the filters are shown. */
const many = 6;

function Listed({ rooms }: { readonly rooms: readonly RoomView[] }) {
  const { list } = useRooms();
  const texts = useRoomTexts();
  const [filter, setFilter] = useState<Filter>("all");
  const [all, archived] = [rooms.filter((room) => !room.archived), rooms.filter((room) => room.archived)];
  const unread = all.filter((room) => room.unread > 0);
  const mentions = unread.filter((room) => mentionsIn(room) > 0);
  const shown = { all, unread, mentions }[filter];
  const isAll = filter === "all";
  const names = {
    all: texts.allOfThem,
    unread: texts.onlyUnread(unread.length),
    mentions: texts.onlyMentions(mentions.length),
  };
  const loadMore = (): void => void list.loadMore().catch(() => {});
  return (
    <>
      {(!isAll || (rooms.length >= many && unread.length > 0)) && (
        <Chips names={names} chosen={filter} onChoose={setFilter} />
      )}
      {shown.length > 0 && <Entries rooms={shown} />}
      {!isAll && shown.length === 0 && (
        <p class="quiet">{filter === "unread" ? texts.noneUnread : texts.noneMentions}</p>
      )}
      {isAll && <Archived rooms={archived} />}
      {list.more.value && <LinkButton onClick={loadMore}>{texts.moreRooms}</LinkButton>}
    </>
  );
}

/** Replaces the list until it is loaded. */
function NotLoaded() {
  const { live } = useRooms();
  const texts = useRoomTexts();
  if (live.state.value === "offline") return <p class="quiet">{texts.roomsOffline}</p>;
  return <Waiting text={texts.loadingRooms} />;
}

/** The rooms of the person, by their newest message. Archived rooms are last. */
export function RoomList() {
  const rooms = useRooms().list.rooms.value;
  const texts = useRoomTexts();
  if (rooms === null) return <NotLoaded />;
  return rooms.length === 0 ? <p class="quiet">{texts.listEmpty}</p> : <Listed rooms={rooms} />;
}
