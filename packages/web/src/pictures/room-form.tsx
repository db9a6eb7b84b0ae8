import { useTexts } from "../app/context.ts";
import type { RoomView } from "../rooms/content/api.ts";
import { useRoomsSignal } from "../rooms/state/context.ts";
import { countCharacters } from "../base/count.ts";
import { SendTo } from "./send-to.tsx";
import { usePictureTexts } from "./texts.ts";

/** The maximum length of a message in a room, in code points. */
const longestMessage = 10_000;

const optionOf = ({ groupId, groupName }: RoomView) => ({ value: String(groupId), name: groupName });

/** Sends a picture as text to a room. Appears once the rooms have loaded, for a person who has some. */
export function RoomForm({ text }: { readonly text: string }) {
  const rooms = useRoomsSignal().value;
  const shared = useTexts();
  const texts = usePictureTexts();
  const options = (rooms?.list.rooms.value ?? []).map(optionOf);
  const fits = countCharacters(text) <= longestMessage;
  const send = (groupId: string): void => rooms?.send(Number(groupId), [{ type: "text", data: { text } }]);
  return (
    <SendTo label={texts.room} options={options} onSend={send}>
      <button type="submit" disabled={!fits}>
        {shared.send}
      </button>
      {!fits && <p class="hint">{texts.roomTooLong}</p>}
    </SendTo>
  );
}
