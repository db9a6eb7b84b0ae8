import { IconButton } from "../../ui/forms/icon-button.tsx";
import type { RoomView } from "../content/api.ts";
import { readContent, summarise } from "../content/content.ts";
import type { Room } from "../state/room.ts";
import { useRoomTexts } from "../content/texts.ts";

interface QuoteAboveProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly messageId: number;
  readonly onDrop: () => void;
}

/** The message that the next one quotes, with a button to remove the quote. */
export function QuoteAbove({ room, messageId, onDrop }: QuoteAboveProps) {
  const texts = useRoomTexts();
  const message = room.timeline.value?.messages.find((each) => each.messageId === messageId);
  const words = message === undefined ? "" : summarise(readContent(message.content), texts.summary);
  return (
    <div class="quoting" role="status">
      <p dir="auto">
        <strong>{texts.quoting(message?.nickname ?? "")}</strong> {words}
      </p>
      <IconButton shape="close" label={texts.dropQuote} onClick={onDrop} />
    </div>
  );
}
