import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useApp } from "../context.ts";
import { roomsHome } from "../route.ts";
import { submits } from "../ui/form.ts";
import { Icon } from "../ui/icon.tsx";
import { useRooms } from "./context.ts";
import { useRoomTexts } from "./texts.ts";

/** Code points of a query. */
const longestQuery = 128;

/** Chooses between all rooms, the one that is open, and the one that was searched last. */
function Scope() {
  const { search, list } = useRooms();
  const { router } = useApp();
  const texts = useRoomTexts();
  const { groupId } = router.route.value;
  const rooms = (list.rooms.value ?? []).filter(
    (room) => room.groupId === groupId || room.groupId === search.scope.value,
  );
  if (rooms.length === 0) return null;
  const choose = (chosen: string): void => {
    search.scope.value = chosen === "" ? null : Number(chosen);
    if (search.found.peek() !== null) void search.start();
  };
  return (
    <select
      aria-label={texts.searchIn}
      value={search.scope.value ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">{texts.allRooms}</option>
      {rooms.map((room) => (
        <option key={room.groupId} value={room.groupId}>
          {room.groupName}
        </option>
      ))}
    </select>
  );
}

/** Gives the box the focus when a room asks for it. */
function useWanted() {
  const { search } = useRooms();
  const box = useRef<HTMLInputElement>(null);
  const isWanted = search.isWanted.value;
  useEffect(() => {
    if (!isWanted) return;
    search.isWanted.value = false;
    box.current?.select();
  }, [search, isWanted]);
  return box;
}

/** What is searched for, and where. */
export function SearchForm() {
  const { search } = useRooms();
  const texts = useRoomTexts();
  const id = useId();
  const box = useWanted();
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.isComposing) return;
    if (event.key === "Escape") search.clear();
    if (event.key !== "ArrowDown") return;
    const first = document.querySelector<HTMLElement>(".hits a");
    if (first !== null) event.preventDefault();
    first?.focus();
  };
  return (
    <form class="search" role="search" onSubmit={submits(() => void search.start())}>
      <label class="unseen" for={id}>
        {texts.search}
      </label>
      <input
        ref={box}
        id={id}
        type="search"
        placeholder={texts.search}
        maxlength={longestQuery}
        autocomplete="off"
        enterkeyhint="search"
        value={search.typed.value}
        onInput={({ currentTarget }) => {
          search.typed.value = currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <button type="submit" class="plain" aria-label={texts.searchNow}>
        <Icon shape="search" />
      </button>
      <Scope />
    </form>
  );
}

/** Leads from a room to the box, with only that room to be searched. */
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
  return (
    <button type="button" class="plain" aria-label={texts.searchHere} title={texts.searchHere} onClick={ask}>
      <Icon shape="search" />
    </button>
  );
}
