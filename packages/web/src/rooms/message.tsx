import { useAccount } from "../app/account.ts";
import { useApp, useFormat } from "../app/context.ts";
import { CopyButton } from "../ui/forms/copy-button.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { memo } from "../ui/lists/memo.ts";
import { useProblemText, useTelling } from "../ui/forms/use-telling.ts";
import { TimeOfDay } from "../ui/lists/when.tsx";
import type { RoomView } from "./content/api.ts";
import { plainText, readContent, recalledContent } from "./content/content.ts";
import { useRooms } from "./state/context.ts";
import type { Row } from "./rows.ts";
import { Segments } from "./segments.tsx";
import { isBy } from "./content/sender.ts";
import { useRoomTexts } from "./content/texts.ts";

interface MessageProps {
  readonly row: Row;
  readonly view: RoomView;
  /** It has the pointer or the focus. */
  readonly isActive: boolean;
  /** The address leads to it. */
  readonly isTarget: boolean;
  readonly onActive: (messageId: number) => void;
  readonly onQuote: (messageId: number) => void;
}

/** Milliseconds within which a message can be recalled. */
const recallTime = 120_000;

function RecallButton({ row }: Pick<MessageProps, "row">) {
  const rooms = useRooms();
  const { recall, recalled } = useRoomTexts();
  const telling = useTelling(useProblemText());
  return <LinkButton onClick={() => void telling(rooms.recall(row.message), recalled)}>{recall}</LinkButton>;
}

function Actions({ row, onQuote }: Pick<MessageProps, "row" | "onQuote">) {
  const { person } = useAccount();
  const { now } = useApp();
  const texts = useRoomTexts();
  const { createTime, messageId, content } = row.message;
  const text = plainText(readContent(content));
  const isRecallable = isBy(row.message, String(person.userId)) && now.value - createTime < recallTime;
  return (
    <div class="acts" role="group" aria-label={texts.actions}>
      <LinkButton onClick={() => onQuote(messageId)}>{texts.quote}</LinkButton>
      {text !== "" && <CopyButton text={text} look="link" />}
      {isRecallable && <RecallButton row={row} />}
    </div>
  );
}

/** The sender and the time. Only the time for further messages of the same sender. */
function Who({ row }: Pick<MessageProps, "row">) {
  const { nickname, createTime } = row.message;
  return (
    <p class="who">
      <span class={row.follows ? "unseen" : ""} dir="auto">
        {nickname}
      </span>
      <TimeOfDay at={createTime} />
    </p>
  );
}

/** The lines above a message: a new day, and the first unread message. */
function Above({ row: { day, isFirstNew } }: Pick<MessageProps, "row">) {
  const format = useFormat();
  const texts = useRoomTexts();
  return (
    <>
      {day !== null && (
        <h3 class="day">
          <time dateTime={new Date(day).toISOString()}>{format.day(day)}</time>
        </h3>
      )}
      {isFirstNew && <p class="new-here">{texts.newHere}</p>}
    </>
  );
}

/** The classes of a message: the keys whose values are true. */
const lookOf = (about: Readonly<Record<string, boolean>>): string =>
  ["message", ...Object.keys(about).filter((name) => about[name])].join(" ");

function useLook({ row, isTarget }: Pick<MessageProps, "row" | "isTarget">): string {
  const { person } = useAccount();
  const { content } = row.message;
  const own = isBy(row.message, String(person.userId));
  return lookOf({ own, follows: row.follows, target: isTarget, recalled: content === recalledContent });
}

function DrawnMessage({ row, view, isActive, isTarget, onActive, onQuote }: MessageProps) {
  const { messageId, content, nickname } = row.message;
  const look = useLook({ row, isTarget });
  const activate = (): void => onActive(messageId);
  return (
    <li class={look} tabIndex={-1} data-id={messageId} onFocusIn={activate} onMouseEnter={activate}>
      <Above row={row} />
      <Who row={row} />
      <div class="what">
        <Segments segments={readContent(content)} view={view} sender={nickname} />
        {isActive && content !== recalledContent && <Actions row={row} onQuote={onQuote} />}
      </div>
    </li>
  );
}

const isSameRow = (a: Row, b: Row): boolean =>
  a.message === b.message && a.day === b.day && a.follows === b.follows && a.isFirstNew === b.isFirstNew;

/** One message. Drawn again only if it changes. */
export const Message = memo(
  DrawnMessage,
  (a, b) => isSameRow(a.row, b.row) && a.isActive === b.isActive && a.isTarget === b.isTarget,
);
