import { useTexts } from "../context.ts";
import type { Outgoing } from "../outbox/outgoing-list.ts";
import { Refused } from "../outbox/refused.tsx";
import { TimeOfDay } from "../ui/when.tsx";
import { preview } from "./compose.ts";
import { plainText } from "./content.ts";
import { useRooms } from "./context.ts";
import type { Room } from "./room.ts";
import { readOutgoing } from "./rooms.ts";
import { Segments } from "./segments.tsx";
import { useRoomTexts } from "./texts.ts";

interface OutgoingProps {
  readonly room: Room;
  readonly text: Outgoing;
}

/** Puts the words of a message that was refused back into the box. */
function useEdit({ room, text }: OutgoingProps): () => void {
  const { drafts, outbox } = useRooms();
  return () => {
    const draft = drafts.of(text.to);
    const words = plainText(preview(readOutgoing(text.content), room.members.peek()));
    draft.value = draft.value === "" ? words : `${words}\n${draft.value}`;
    outbox.discard(text.nonce);
  };
}

function State({ room, text }: OutgoingProps) {
  const { live, outbox } = useRooms();
  const texts = useTexts();
  const edit = useEdit({ room, text });
  if (text.state === "failed") return <Refused text={text} outbox={outbox} onEdit={edit} role="alert" />;
  if (text.state === "sending") return <span class="state">{texts.sending}</span>;
  return <span class="state">{live.state.value === "live" ? texts.triedAgain : texts.waitsForConnection}</span>;
}

function OutgoingMessage({ room, text }: OutgoingProps) {
  const { you } = useRoomTexts();
  const segments = preview(readOutgoing(text.content), room.members.value);
  return (
    <li class="message own waits leaves" data-nonce={text.nonce}>
      <p class="who">
        <span>{you}</span>
        <TimeOfDay at={text.at} />
      </p>
      <div class="what">
        <Segments segments={segments} view={{ groupId: room.groupId, groupType: 1 }} sender={you} />
        <State room={room} text={text} />
      </div>
    </li>
  );
}

interface OutgoingMessagesProps {
  readonly room: Room;
  readonly outgoing: readonly Outgoing[];
}

/** The messages on their way: shown immediately, and pale until the server has them. */
export function OutgoingMessages({ room, outgoing }: OutgoingMessagesProps) {
  if (outgoing.length === 0) return null;
  return (
    <ol role="list" class="said">
      {outgoing.map((text) => (
        <OutgoingMessage key={text.nonce} room={room} text={text} />
      ))}
    </ol>
  );
}
