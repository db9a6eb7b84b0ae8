import type { MessageView } from "@telex/core";
import { Announce } from "../../ui/panes/announce.tsx";
import { readContent, summarise } from "../content/content.ts";
import { noticeWords } from "../content/notice-words.ts";
import { useRooms } from "../state/context.ts";
import { useRoomTexts } from "../content/texts.ts";

export function Announcements() {
  const { arrived } = useRooms();
  const texts = useRoomTexts();
  const wordsOf = (message: MessageView): string =>
    message.notice === undefined
      ? summarise(readContent(message.content), texts.summary)
      : noticeWords(message, "", texts);
  return (
    <Announce
      arrived={arrived}
      words={(message, cut) => texts.arrivedIn(message.groupName, message.nickname, cut(wordsOf(message)))}
      several={texts.arrived}
    />
  );
}
