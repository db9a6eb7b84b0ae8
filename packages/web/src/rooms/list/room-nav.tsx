import { useApp, useTexts } from "../../app/context.ts";
import { Icon } from "../../ui/forms/icon.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import { createLazy } from "../../ui/panes/lazy.tsx";
import { RoomList } from "./room-list.tsx";
import { SearchForm } from "./search-form.tsx";

const SearchResults = createLazy(async () => (await import("./search-results.tsx")).SearchResults);

function Entries() {
  const results = useRooms().search.found.value;
  return results === null ? <RoomList /> : <SearchResults found={results} />;
}

/** Opens the form for a new room, on servers where people can create rooms. */
function NewButton() {
  const { session } = useApp();
  const texts = useRoomTexts();
  if (session.way.value !== "accounts") return null;
  return (
    <a class="button primary" href="#new">
      <Icon shape="plus" />
      {texts.newOne}
    </a>
  );
}

/** The rooms of the person with their unread counts, or the results of a search. */
export function RoomNav() {
  const texts = useTexts();
  return (
    <nav class="room-list" aria-label={texts.rooms}>
      <header>
        <h2>{texts.rooms}</h2>
        <NewButton />
      </header>
      <SearchForm />
      <div class="entries">
        <Entries />
      </div>
    </nav>
  );
}
