import type { TargetedKeyboardEvent } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../../app/context.ts";
import { roomsHome } from "../../app/route.ts";
import { focusInstead } from "../../ui/lists/arrows.ts";
import { submits } from "../../ui/forms/form.ts";
import { Icon } from "../../ui/forms/icon.tsx";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { useRooms } from "../state/context.ts";
import type { Search } from "../state/search.ts";
import { useRoomTexts } from "../content/texts.ts";

/** The maximum length of a query, in code points. */
const longestQuery = 128;

/** The open room, and the room that was searched last. */
function useNearRooms() {
  const { search, list } = useRooms();
  const { groupId } = useApp().router.route.value;
  const near = [groupId, search.scope.value];
  return (list.rooms.value ?? []).filter((room) => near.includes(room.groupId));
}

/** True while a search is open. Otherwise the scope is hidden, so that opening a room does not move the list. */
const isSearching = ({ typed, scope }: Search): boolean => typed.value !== "" || scope.value !== null;

/** Chooses between all rooms, the open room and the room searched last. */
function Scope() {
  const { search } = useRooms();
  const texts = useRoomTexts();
  const rooms = useNearRooms();
  if (rooms.length === 0 || !isSearching(search)) return null;
  const choose = (chosen: string): void => {
    search.scope.value = chosen === "" ? null : Number(chosen);
    if (search.found.peek() !== null) void search.start();
  };
  const options = [
    { value: "", name: texts.allRooms },
    ...rooms.map((room) => ({ value: room.groupId, name: room.groupName })),
  ];
  return <Select aria-label={texts.searchIn} value={search.scope.value ?? ""} options={options} onValue={choose} />;
}

/** Focuses the box when a room asks for a search, before the next key is typed. */
function useWanted() {
  const { search } = useRooms();
  const box = useRef<HTMLInputElement>(null);
  const isWanted = search.isWanted.value;
  useLayoutEffect(() => {
    if (!isWanted) return;
    search.isWanted.value = false;
    box.current?.select();
  }, [search, isWanted]);
  return box;
}

const boxAttributes = { type: "search", maxlength: longestQuery, autocomplete: "off", enterkeyhint: "search" } as const;

/** Escape ends the search, and arrow down moves to the results. */
function handleKey(event: TargetedKeyboardEvent<HTMLInputElement>, search: Search): void {
  if (event.isComposing) return;
  if (event.key === "Escape") search.clear();
  if (event.key === "ArrowDown") focusInstead(event, document.querySelector<HTMLElement>(".hits a"));
}

function SearchBox({ id }: { readonly id: string }) {
  const { search } = useRooms();
  const texts = useRoomTexts();
  const box = useWanted();
  return (
    <div class="seek">
      <Icon shape="search" />
      <input
        {...boxAttributes}
        ref={box}
        id={id}
        placeholder={texts.search}
        value={search.typed.value}
        onInput={({ currentTarget }) => void (search.typed.value = currentTarget.value)}
        onKeyDown={(event) => handleKey(event, search)}
      />
    </div>
  );
}

export function SearchForm() {
  const { search } = useRooms();
  const texts = useRoomTexts();
  const id = useId();
  return (
    <form class="search" role="search" onSubmit={submits(() => void search.start())}>
      <label class="unseen" for={id}>
        {texts.search}
      </label>
      <SearchBox id={id} />
      <Scope />
    </form>
  );
}

/** Opens the search form with this room as its scope. */
export function SearchButton({ groupId }: { readonly groupId: number }) {
  const { search } = useRooms();
  const { router } = useApp();
  const texts = useRoomTexts();
  const ask = (): void => {
    search.scope.value = groupId;
    search.isWanted.value = true;
    // A narrow window shows either the list or the room.
    if (document.querySelector(".room-list")?.checkVisibility() === false) router.go(roomsHome);
  };
  return <IconButton shape="search" label={texts.searchHere} title={texts.searchHere} onClick={ask} />;
}
