import { useComputed } from "@preact/signals";
import { useApp, useTexts } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { Icon } from "../../ui/forms/icon.tsx";
import { CountBadge } from "../../ui/lists/count-badge.tsx";
import { memo } from "../../ui/lists/memo.ts";
import { Recent } from "../../ui/lists/when.tsx";
import type { RoomView } from "../content/api.ts";
import { readContent, summarise } from "../content/content.ts";
import { noticeWords } from "../content/notice-words.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import { BotPresence } from "./bot-presence.tsx";

const wordsOf = (message: NonNullable<RoomView["lastMessage"]>, texts: ReturnType<typeof useRoomTexts>): string =>
  message.notice === undefined
    ? summarise(readContent(message.content), texts.summary)
    : noticeWords(message, "", texts);

/** The last message, or "draft" if there is one. */
function Last({ room, hasDraft }: { readonly room: RoomView; readonly hasDraft: boolean }) {
  const texts = useRoomTexts();
  const shared = useTexts();
  const { lastMessage } = room;
  if (hasDraft) return <span class="last draft">{shared.draft}</span>;
  if (lastMessage === null) return room.bot === null ? <span class="last" /> : null;
  const { notice, nickname } = lastMessage;
  const isNamed = room.groupType !== 2 || notice !== undefined;
  return (
    <span class="last" dir="auto">
      {isNamed && <b>{notice === undefined ? `${nickname}: ` : `${nickname} `}</b>}
      {wordsOf(lastMessage, texts)}
    </span>
  );
}

function useEntry(groupId: number) {
  const { router } = useApp();
  const { drafts } = useRooms();
  const isCurrent = useComputed(() => router.route.value.groupId === groupId).value;
  const isWritten = useComputed(() => drafts.devices.value.has(String(groupId))).value;
  return { isCurrent, hasDraft: isWritten && !isCurrent };
}

const Face = ({ room: { avatar, groupName } }: { readonly room: RoomView }) => (
  <>
    <img class="face" src={`${avatar}&size=80`} alt="" loading="lazy" width={40} height={40} />
    <span class="name" dir="auto">
      {groupName}
    </span>
  </>
);

function MutedMark() {
  const { mutedRoom } = useRoomTexts();
  return (
    <>
      <Icon shape="bellOff" />
      <span class="unseen">{mutedRoom}</span>
    </>
  );
}

/** Shows how many messages are unread, how many mention the person, and whether notifications of the room are off. */
function Counts({ room: { groupType, unread, mentions, notify, mutedUntil } }: { readonly room: RoomView }) {
  const texts = useRoomTexts();
  const { forYou } = useTexts();
  const { now } = useApp();
  const isPrivate = groupType === 2;
  const isMuted = notify === "none" || mutedUntil > now.value;
  return (
    <span class="counts">
      {isMuted && <MutedMark />}
      {!isPrivate && <CountBadge count={mentions} words={forYou(mentions)} mark="@" />}
      <CountBadge count={unread} words={texts.unread(unread)} isForYou={isPrivate} />
    </span>
  );
}

function DrawnEntry({ room }: { readonly room: RoomView }) {
  const { groupId, lastMessage, bot } = room;
  const { isCurrent, hasDraft } = useEntry(groupId);
  return (
    <li>
      <a href={roomPath(groupId)} aria-current={isCurrent ? "page" : undefined}>
        <Face room={room} />
        {lastMessage !== null && <Recent at={lastMessage.createTime} />}
        <Last room={room} hasDraft={hasDraft} />
        <Counts room={room} />
        <BotPresence bot={bot} />
      </a>
    </li>
  );
}

/** Memoized, because there may be hundreds of entries: a change in one room draws only its entry again. */
export const Entry = memo(DrawnEntry, (a, b) => a.room === b.room);
