import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { ArchiveButton } from "../side/endings.tsx";

/** In the place of the box, in a room where nobody can write. */
export function ArchivedHere({ view }: { readonly view: RoomView }) {
  const texts = useRoomTexts();
  return (
    <div class="say closed">
      <p>{texts.archivedHere}</p>
      {view.role === "owner" && <ArchiveButton view={view} />}
    </div>
  );
}
