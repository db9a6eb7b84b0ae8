import { useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { Button } from "../../ui/forms/button.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import { Entry } from "./entry.tsx";

function Entries({ rooms }: { readonly rooms: readonly RoomView[] }) {
  return (
    <ul class="talks">
      {rooms.map((room) => (
        <Entry key={room.groupId} room={room} />
      ))}
    </ul>
  );
}

/** Archived rooms, behind the others. */
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

interface ChipsProps {
  readonly unread: number;
  readonly isOnly: boolean;
  readonly onOnly: (isOnly: boolean) => void;
}

/** Chooses between all rooms and those with something unread. */
function Chips({ unread, isOnly, onOnly }: ChipsProps) {
  const texts = useRoomTexts();
  return (
    <div class="chips">
      <Button class="chip" aria-pressed={!isOnly} onClick={() => onOnly(false)}>
        {texts.allOfThem}
      </Button>
      <Button class="chip" aria-pressed={isOnly} onClick={() => onOnly(true)}>
        {texts.onlyUnread(unread)}
      </Button>
    </div>
  );
}

/** From this number of rooms on, the list can be narrowed. */
const many = 6;

function Listed({ rooms }: { readonly rooms: readonly RoomView[] }) {
  const { list } = useRooms();
  const texts = useRoomTexts();
  const [isOnly, setOnly] = useState(false);
  const [open, archived] = [rooms.filter((room) => !room.archived), rooms.filter((room) => room.archived)];
  const unread = open.filter((room) => room.unread > 0);
  const shown = isOnly ? unread : open;
  const loadMore = (): void => void list.loadMore().catch(() => {});
  return (
    <>
      {(isOnly || (rooms.length >= many && unread.length > 0)) && (
        <Chips unread={unread.length} isOnly={isOnly} onOnly={setOnly} />
      )}
      {shown.length > 0 && <Entries rooms={shown} />}
      {isOnly && shown.length === 0 && <p class="quiet">{texts.noneUnread}</p>}
      {!isOnly && <Archived rooms={archived} />}
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

/** The rooms of the person: those with the newest messages first, and those that are archived last. */
export function RoomList() {
  const rooms = useRooms().list.rooms.value;
  const texts = useRoomTexts();
  if (rooms === null) return <NotLoaded />;
  return rooms.length === 0 ? <p class="quiet">{texts.listEmpty}</p> : <Listed rooms={rooms} />;
}
