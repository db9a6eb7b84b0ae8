import { useAccount } from "../../app/account.ts";
import { memo } from "../../ui/lists/memo.ts";
import { TimeOfDay } from "../../ui/lists/when.tsx";
import type { RoomView } from "../content/api.ts";
import { readContent, recalledContent } from "../content/content.ts";
import { isBy } from "../content/sender.ts";
import { Above } from "./above.tsx";
import { Actions } from "./actions.tsx";
import type { Row } from "./rows.ts";
import { Segments } from "./segments.tsx";

interface MessageProps {
  readonly row: Row;
  readonly view: RoomView;
  /** Messages that were unread when the room was opened. */
  readonly unread: number;
  /** It has the pointer or the focus. */
  readonly isActive: boolean;
  /** The address leads to it. */
  readonly isTarget: boolean;
  readonly onActive: (messageId: number) => void;
  readonly onQuote: (messageId: number) => void;
}

/** The face, the name and the time of a sender; only the time for further messages of the same sender. */
function Who({ row }: Pick<MessageProps, "row">) {
  const { nickname, avatar, createTime } = row.message;
  if (row.follows) {
    return (
      <p class="who">
        <span class="unseen" dir="auto">
          {nickname}
        </span>
        <TimeOfDay at={createTime} />
      </p>
    );
  }
  return (
    <>
      {avatar === null ? (
        <span class="face" />
      ) : (
        <img class="face" src={`${avatar}&size=80`} alt="" loading="lazy" width={40} height={40} />
      )}
      <p class="who">
        <b dir="auto">{nickname}</b>
        <TimeOfDay at={createTime} />
      </p>
    </>
  );
}

/** The classes of a message: the keys whose values are true. */
const lookOf = (about: Readonly<Record<string, boolean>>): string =>
  ["message", ...Object.keys(about).filter((name) => about[name])].join(" ");

/** True if one of the segments names the person. */
const isAbout = (content: string, nickname: string): boolean =>
  readContent(content).some((segment) => segment.kind === "at" && segment.name === nickname);

function useLook({ row, isTarget }: Pick<MessageProps, "row" | "isTarget">): string {
  const { person } = useAccount();
  const { content } = row.message;
  const own = isBy(row.message, String(person.userId));
  const mentions = !own && isAbout(content, person.nickname);
  return lookOf({ own, follows: row.follows, target: isTarget, mentions, recalled: content === recalledContent });
}

function DrawnMessage({ row, view, unread, isActive, isTarget, onActive, onQuote }: MessageProps) {
  const { messageId, content, nickname } = row.message;
  const look = useLook({ row, isTarget });
  const activate = (): void => onActive(messageId);
  return (
    <li class={look} tabIndex={-1} data-id={messageId} onFocusIn={activate} onMouseEnter={activate}>
      <Above row={row} unread={unread} />
      <div class="band">
        <Who row={row} />
        <div class="what">
          <Segments segments={readContent(content)} view={view} sender={nickname} />
          {isActive && content !== recalledContent && <Actions row={row} onQuote={onQuote} />}
        </div>
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
