import { useFormat } from "../../app/context.ts";
import { useRoomTexts } from "../content/texts.ts";
import { createLazy } from "../../ui/panes/lazy.tsx";
import type { RoomView } from "../content/api.ts";
import type { Row } from "./rows.ts";

const AskMissed = createLazy(async () => (await import("./missed.tsx")).AskMissed);

interface AboveProps {
  readonly row: Row;
  /** The number of unread messages when the room was opened. */
  readonly unread: number;
  readonly view: RoomView;
  /** The ID of the newest message that was read then. */
  readonly since: string;
}

function Day({ at }: { readonly at: number }) {
  const { day } = useFormat();
  return (
    <h3 class="day">
      <time dateTime={new Date(at).toISOString()}>{day(at)}</time>
    </h3>
  );
}

/** The separators above a message: a new day, and the first unread message. */
export function Above({ row: { day, isFirstNew, message }, unread, view, since }: AboveProps) {
  const format = useFormat();
  const texts = useRoomTexts();
  return (
    <>
      {day !== null && <Day at={day} />}
      {isFirstNew && (
        <p class="new-here">
          <b>{texts.newHere(unread)}</b> {texts.since(format.time(message.createTime))}
          <AskMissed view={view} since={since} />
        </p>
      )}
    </>
  );
}
