import { useAccount } from "../../app/account.ts";
import type { Outgoing } from "../../outbox/outgoing-list.ts";
import { OutgoingState } from "../../outbox/outgoing-state.tsx";
import { TimeOfDay } from "../../ui/lists/when.tsx";
import { preview } from "../content/compose.ts";
import { plainText } from "../content/content.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";
import { readOutgoing } from "../state/rooms.ts";
import { Segments } from "./segments.tsx";

interface OutgoingProps {
  readonly room: Room;
  readonly text: Outgoing;
}

/** The name and the avatar of the person in a room. */
function useOneself(room: Room) {
  const { person } = useAccount();
  const own = room.members.value.find(({ userId }) => userId === String(person.userId));
  return { name: own?.card ?? person.nickname, avatar: own?.avatar ?? null };
}

function OutgoingMessage({ room, text }: OutgoingProps) {
  const { live, outbox, drafts } = useRooms();
  const { name, avatar } = useOneself(room);
  const segments = preview(readOutgoing(text.content), room.members.value);
  return (
    <li class="message own waits leaves" data-nonce={text.nonce}>
      <div class="band">
        {avatar === null ? (
          <span class="face" />
        ) : (
          <img class="face" src={`${avatar}&size=80`} alt="" width={40} height={40} />
        )}
        <p class="who">
          <b dir="auto">{name}</b>
          <TimeOfDay at={text.at} />
        </p>
        <div class="what">
          <Segments segments={segments} view={{ groupId: room.groupId, groupType: 1 }} sender={name} />
          <OutgoingState {...{ text, live, outbox, drafts }} words={plainText(segments)} role="alert" />
        </div>
      </div>
    </li>
  );
}

interface OutgoingMessagesProps {
  readonly room: Room;
  readonly outgoing: readonly Outgoing[];
}

/** The messages that are being sent, pale until the server has stored them. */
export function OutgoingMessages({ room, outgoing }: OutgoingMessagesProps) {
  if (outgoing.length === 0) return null;
  return (
    <ol role="list" class="message-list">
      {outgoing.map((text) => (
        <OutgoingMessage key={text.nonce} room={room} text={text} />
      ))}
    </ol>
  );
}
