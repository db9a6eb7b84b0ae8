import type { MessageView } from "@telex/core";
import { Icon } from "../../ui/forms/icon.tsx";
import { TimeOfDay } from "../../ui/lists/when.tsx";
import type { MemberView, RoomView } from "../content/api.ts";
import { nameOf } from "../content/mention.ts";
import { noticeWords, storedWords } from "../content/notice-words.ts";
import type { RoomTexts } from "../content/texts-en.ts";
import { useRoomTexts } from "../content/texts.ts";
import { Above } from "./above.tsx";
import type { Row } from "./rows.ts";

interface NoticeProps {
  readonly row: Row;
  readonly notice: NonNullable<MessageView["notice"]>;
  readonly members: readonly MemberView[];
  readonly view: RoomView;
}

/** The names of these users, or null if one of them is no longer a member. */
function namesOf(userIds: readonly string[], members: readonly MemberView[]): readonly string[] | null {
  const names = userIds.map((userId) => members.find((member) => member.userId === userId));
  return names.every((member) => member !== undefined) ? names.map(nameOf) : null;
}

const wordsOf = (message: MessageView, names: readonly string[] | null, texts: RoomTexts): string =>
  names === null ? storedWords(message) : noticeWords(message, names.join(", "), texts);

/** Describes a change of the room. */
export function Notice({ row, notice, members, view }: NoticeProps) {
  const texts = useRoomTexts();
  const { nickname, createTime, messageId } = row.message;
  const words = wordsOf(row.message, namesOf(notice.userIds ?? [], members), texts);
  return (
    <li data-id={messageId} tabIndex={-1} class="notice-row">
      <Above row={row} unread={0} view={view} since="0" />
      <div class="notice">
        <Icon shape="people" />
        <p dir="auto">
          <b>{nickname}</b> {words} <TimeOfDay at={createTime} />
        </p>
      </div>
    </li>
  );
}
