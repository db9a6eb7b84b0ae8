import { useFormat } from "../../app/context.ts";
import { useRoomTexts } from "../content/texts.ts";
import type { Row } from "./rows.ts";

interface AboveProps {
  readonly row: Row;
  /** Messages that were unread when the room was opened. */
  readonly unread: number;
}

function Day({ at }: { readonly at: number }) {
  const { day } = useFormat();
  return (
    <h3 class="day">
      <time dateTime={new Date(at).toISOString()}>{day(at)}</time>
    </h3>
  );
}

/** The lines above a message: a new day, and the first unread message. */
export function Above({ row: { day, isFirstNew, message }, unread }: AboveProps) {
  const format = useFormat();
  const texts = useRoomTexts();
  return (
    <>
      {day !== null && <Day at={day} />}
      {isFirstNew && (
        <p class="new-here">
          <b>{texts.newHere(unread)}</b> {texts.since(format.time(message.createTime))}
        </p>
      )}
    </>
  );
}
