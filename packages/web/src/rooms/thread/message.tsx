import { useRef, useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useTexts } from "../../app/context.ts";
import { createLazy } from "../../ui/panes/lazy.tsx";
import { memo } from "../../ui/lists/memo.ts";
import { TimeOfDay } from "../../ui/lists/when.tsx";
import { isAbout } from "../content/about.ts";
import type { RoomView } from "../content/api.ts";
import { readContent, recalledContent } from "../content/content.ts";
import { useRoomTexts } from "../content/texts.ts";
import type { Room } from "../state/room.ts";
import { isBy } from "../content/sender.ts";
import { Above } from "./above.tsx";
import { Actions } from "./actions.tsx";
import { Reactions } from "./reactions.tsx";
import type { Row } from "./rows.ts";
import { Segments } from "./segments.tsx";
import { useCanReact, useMessageActions } from "./use-actions.ts";
import { useLongPress } from "./use-long-press.ts";

const MessageTools = createLazy(async () => (await import("./message-tools.tsx")).MessageTools);
const EditForm = createLazy(async () => (await import("./edit-form.tsx")).EditForm);
const EmojiDialog = createLazy(async () => (await import("./emoji-dialog.tsx")).EmojiDialog);
const ReadersDialog = createLazy(async () => (await import("./readers-dialog.tsx")).ReadersDialog);
const Sheet = createLazy(async () => (await import("./sheet.tsx")).Sheet);

interface MessageProps {
  readonly row: Row;
  readonly room: Room;
  readonly view: RoomView;
  /** The number of unread messages when the room was opened. */
  readonly unread: number;
  /** The ID of the newest message that was read then. */
  readonly since: string;
  /** True if it has the pointer or the focus. */
  readonly isActive: boolean;
  /** True if the URL names it. */
  readonly isTarget: boolean;
  readonly onActive: (messageId: number) => void;
  readonly onQuote: (messageId: number) => void;
}

/** The avatar, the name and the time. Further messages of the same sender show only the time. */
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

/** The class names whose values are true. */
const lookOf = (about: Readonly<Record<string, boolean>>): string =>
  ["message", ...Object.keys(about).filter((name) => about[name])].join(" ");

function useLook({ row, isTarget }: Pick<MessageProps, "row" | "isTarget">): string {
  const { person } = useAccount();
  const { content } = row.message;
  const own = isBy(row.message, String(person.userId));
  const mentions = !own && isAbout(content, person.nickname);
  return lookOf({ own, follows: row.follows, target: isTarget, mentions, recalled: content === recalledContent });
}

/** Names the program that sent the message for the person. */
function Via({ program, nickname }: { readonly program: string; readonly nickname: string }) {
  const { via } = useTexts();
  return (
    <span class="hint via" dir="auto">
      {via(program, nickname)}
    </span>
  );
}

/** The content of a message, and its reactions. */
function Content({ row: { message }, view }: Pick<MessageProps, "row" | "view">) {
  const texts = useRoomTexts();
  return (
    <>
      {message.pinned && <p class="hint pinned">{texts.isPinned}</p>}
      <Segments segments={readContent(message.content)} view={view} sender={message.nickname} />
      {message.tools !== undefined && <MessageTools message={message} />}
      {message.via !== undefined && <Via program={message.via.name} nickname={message.nickname} />}
      {message.editedAt !== undefined && <span class="hint edited">{texts.edited}</span>}
      <Reactions message={message} canReact={useCanReact(view)} />
    </>
  );
}

/** Moves the focus from a control of a message, which disappears, to the message. */
function useKeptFocus() {
  const line = useRef<HTMLLIElement>(null);
  const keep = (): void => {
    if (line.current?.contains(document.activeElement) === true) line.current.focus();
  };
  return { line, keep };
}

/** The form or dialog that is open for a message. */
function useOpened({ row: { message }, view, onQuote }: MessageProps) {
  const { line, keep } = useKeptFocus();
  const [opened, setOpened] = useState<"sheet" | "edit" | "readers" | "emoji" | null>(null);
  const open = { onEdit: () => setOpened("edit"), onReaders: () => setOpened("readers"), onRecall: keep };
  const actions = useMessageActions({ message, view, onQuote, ...open });
  const isRecalled = message.content === recalledContent;
  const press = useLongPress(() => !isRecalled && setOpened("sheet"));
  const close = (): void => {
    if (opened === "edit") keep();
    setOpened(null);
  };
  return { line, opened, actions, press, isRecalled, close, more: () => setOpened("emoji") };
}

/** The dialog that is open for a message. */
function Opened({ message, view, state }: OpenedProps) {
  const { opened, actions, close, more } = state;
  const canReact = useCanReact(view);
  if (opened === "readers") return <ReadersDialog message={message} onClose={close} />;
  if (opened === "emoji") return <EmojiDialog message={message} onClose={close} />;
  return opened === "sheet" ? <Sheet {...{ message, actions, canReact }} onClose={close} onMore={more} /> : null;
}

interface OpenedProps extends Pick<MessageProps, "view"> {
  readonly message: Row["message"];
  readonly state: ReturnType<typeof useOpened>;
}

function DrawnMessage(props: MessageProps) {
  const { row, room, view, unread, since, isActive, isTarget, onActive } = props;
  const { message } = row;
  const { messageId } = message;
  const state = useOpened(props);
  const canReact = useCanReact(view);
  const activate = (): void => onActive(messageId);
  const events = { onFocusIn: activate, onMouseEnter: activate, ...state.press };
  const isEditing = state.opened === "edit";
  return (
    <li ref={state.line} class={useLook({ row, isTarget })} tabIndex={-1} data-id={messageId} {...events}>
      <Above row={row} unread={unread} view={view} since={since} />
      <div class="band">
        <Who row={row} />
        <div class="what">
          {isEditing ? <EditForm {...{ room, message }} onClose={state.close} /> : <Content row={row} view={view} />}
          {isActive && !isEditing && !state.isRecalled && (
            <Actions message={message} actions={state.actions} canReact={canReact} onMore={state.more} />
          )}
        </div>
      </div>
      <Opened message={message} view={view} state={state} />
    </li>
  );
}

const isSameRow = (a: Row, b: Row): boolean =>
  a.message === b.message && a.day === b.day && a.follows === b.follows && a.isFirstNew === b.isFirstNew;

/** Memoized: draws only changed messages. */
export const Message = memo(
  DrawnMessage,
  (a, b) => isSameRow(a.row, b.row) && a.isActive === b.isActive && a.isTarget === b.isTarget,
);
