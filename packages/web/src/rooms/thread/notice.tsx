import type { MessageView } from "@telex/core";
import { Icon } from "../../ui/forms/icon.tsx";
import { TimeOfDay } from "../../ui/lists/when.tsx";
import type { MemberView } from "../content/api.ts";
import { plainText, readContent } from "../content/content.ts";
import { nameOf } from "../content/mention.ts";
import { useRoomTexts } from "../content/texts.ts";
import { Above } from "./above.tsx";
import type { Row } from "./rows.ts";

interface NoticeProps {
  readonly row: Row;
  readonly notice: NonNullable<MessageView["notice"]>;
  readonly members: readonly MemberView[];
}

/** The names of these users; null if one of them is not in the room any more. */
function namesOf(userIds: readonly string[], members: readonly MemberView[]): readonly string[] | null {
  const names = userIds.map((userId) => members.find((member) => member.userId === userId));
  return names.every((member) => member !== undefined) ? names.map(nameOf) : null;
}

/** The stored sentence, which every client can show, without its brackets. */
const storedWords = (content: string): string => plainText(readContent(content)).replaceAll(/^\[|\]$/g, "");

/** Says what somebody has done in the room. */
export function Notice({ row, notice, members }: NoticeProps) {
  const texts = useRoomTexts();
  const { nickname, content, createTime, messageId } = row.message;
  const names = namesOf(notice.userIds ?? [], members);
  const say = names === null ? undefined : texts.notices[notice.kind];
  return (
    <li data-id={messageId} tabIndex={-1} class="notice-row">
      <Above row={row} unread={0} />
      <div class="notice">
        <Icon shape="people" />
        <p dir="auto">
          <b>{nickname}</b> {say?.(names?.join(", ") ?? "") ?? storedWords(content)} <TimeOfDay at={createTime} />
        </p>
      </div>
    </li>
  );
}
