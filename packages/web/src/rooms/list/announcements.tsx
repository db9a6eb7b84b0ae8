import { Announce } from "../../ui/panes/announce.tsx";
import { readContent, summarise } from "../content/content.ts";
import { useRooms } from "../state/context.ts";
import { useRoomTexts } from "../content/texts.ts";

/** Announces new messages to screen readers. */
export function Announcements() {
  const { arrived } = useRooms();
  const { summary, arrivedIn, arrived: several } = useRoomTexts();
  return (
    <Announce
      arrived={arrived}
      words={({ content, groupName, nickname }, cut) =>
        arrivedIn(groupName, nickname, cut(summarise(readContent(content), summary)))
      }
      several={several}
    />
  );
}
