import { roomsHome } from "../../app/route.ts";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { BackLink } from "../../ui/panes/heading.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { BotPresence } from "../list/bot-presence.tsx";
import { SearchButton } from "../list/search-form.tsx";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";

interface RoomHeadingProps {
  readonly room: Room;
  readonly view: RoomView;
}

/** The number of members, and the number online once the members are loaded. */
function useHeadcount({ room: { members }, view: { memberCount } }: RoomHeadingProps): string {
  const texts = useRoomTexts();
  const online = members.value.filter((member) => member.online).length;
  return members.value.length === 0 ? texts.members(memberCount) : texts.membersOnline(memberCount, online);
}

const Offline = () => (
  <p>
    <b>{useRoomTexts().offlineHere}</b>
  </p>
);

/** The line below the name: the headcount, or that there is no connection. A phone with an open room shows the connection nowhere else. */
function About({ room, view }: RoomHeadingProps) {
  const texts = useRoomTexts();
  const { live } = useRooms();
  const people = useHeadcount({ room, view });
  if (live.state.value === "offline") return <Offline />;
  return (
    <p>
      {view.groupType === 2 ? texts.privateChat : people}
      {view.archived && `, ${texts.archived}`}
      <BotPresence bot={view.bot} />
    </p>
  );
}

/** Toggles the side panel. */
function SideButton() {
  const { isSideOpen } = useRooms();
  const texts = useRoomTexts();
  const toggle = (): void => {
    isSideOpen.value = !isSideOpen.peek();
  };
  const state = { "aria-expanded": isSideOpen.value, "aria-controls": "side", title: texts.showAbout };
  return <IconButton shape="people" label={texts.showAbout} {...state} onClick={toggle} />;
}

export function RoomHeading({ room, view }: RoomHeadingProps) {
  const texts = useRoomTexts();
  return (
    <header class="heading">
      <BackLink href={roomsHome} label={texts.backToList} />
      <img class="face" src={`${view.avatar}&size=80`} alt="" width={40} height={40} />
      <div class="title">
        <h2 dir="auto">{view.groupName}</h2>
        <About room={room} view={view} />
      </div>
      <SearchButton groupId={view.groupId} />
      <SideButton />
    </header>
  );
}
