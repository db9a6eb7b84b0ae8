import { useId, useState } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { countCharacters } from "../teleprinter/count.ts";
import { submits } from "../ui/form.ts";
import { usePictureTexts } from "./texts.ts";

/** Code points of one message of a room. */
const longestMessage = 10_000;

/** The rooms to choose from, and the one that is chosen. */
function useChoice({ list }: Rooms) {
  const [chosen, setChosen] = useState<number | null>(null);
  const rooms = list.rooms.value ?? [];
  const room = rooms.find(({ groupId }) => groupId === chosen) ?? rooms[0];
  return { rooms, room, setChosen };
}

function Form({ rooms, text }: { readonly rooms: Rooms; readonly text: string }) {
  const { notices } = useApp();
  const shared = useTexts();
  const texts = usePictureTexts();
  const id = useId();
  const choice = useChoice(rooms);
  const { room } = choice;
  if (room === undefined) return null;
  const fits = countCharacters(text) <= longestMessage;
  const send = (): void => {
    rooms.send(room.groupId, [{ type: "text", data: { text } }]);
    notices.say(texts.printed(room.groupName));
  };
  return (
    <form class="send-to" onSubmit={submits(send)}>
      <label for={id}>{texts.room}</label>
      <select
        id={id}
        value={room.groupId}
        onChange={({ currentTarget }) => choice.setChosen(Number(currentTarget.value))}
      >
        {choice.rooms.map(({ groupId, groupName }) => (
          <option key={groupId} value={groupId}>
            {groupName}
          </option>
        ))}
      </select>
      <button type="submit" disabled={!fits}>
        {shared.send}
      </button>
      {!fits && <p class="hint">{texts.roomTooLong}</p>}
    </form>
  );
}

/** Sends a picture as text to a room. Absent until the rooms are known, and for people without one. */
export function RoomForm({ text }: { readonly text: string }) {
  const rooms = useAccount().rooms.value;
  return rooms === null ? null : <Form rooms={rooms} text={text} />;
}
