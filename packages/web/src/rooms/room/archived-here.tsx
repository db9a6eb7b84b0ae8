import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { ArchiveButton } from "../side/endings.tsx";

/** Replaces the composer in an archived room. */
export function ArchivedHere({ view }: { readonly view: RoomView }) {
  const texts = useRoomTexts();
  return (
    <div class="message-box closed">
      <p>{texts.archivedHere}</p>
      {view.role === "owner" && <ArchiveButton view={view} />}
    </div>
  );
}
