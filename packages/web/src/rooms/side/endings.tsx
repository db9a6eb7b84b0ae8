import { useApp } from "../../app/context.ts";
import { roomsHome } from "../../app/route.ts";
import { Danger } from "../../ui/actions/danger.tsx";
import { useAction } from "../../ui/actions/use-action.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

interface EndingProps {
  readonly view: RoomView;
}

/** Archives or unarchives a room. */
export function ArchiveButton({ view: { groupId, archived } }: EndingProps) {
  const texts = useRoomTexts();
  const { changes } = useRooms();
  const { busy, text, run } = useAction();
  const toggle = (): Promise<null> => changes.archive(groupId, !archived).then(() => null);
  return (
    <>
      <Button disabled={busy} onClick={() => run(toggle)}>
        <Icon shape="archive" />
        {archived ? texts.unarchive : texts.archive}
      </Button>
      <ErrorText text={text} />
    </>
  );
}

/** Returns to the list after the person has left or deleted a room. */
function useEnding() {
  const { router } = useApp();
  return async (work: Promise<void>, said: string): Promise<string> => {
    await work;
    router.go(roomsHome, "replace");
    return said;
  };
}

function Leave({ view: { groupId, groupName } }: EndingProps) {
  const texts = useRoomTexts();
  const { changes } = useRooms();
  const ending = useEnding();
  const question = { label: texts.leave, title: texts.leaveTitle(groupName), lead: texts.leaveLead };
  return <Danger look="" {...question} work={() => ending(changes.quit(groupId), texts.left)} />;
}

function Remove({ view: { groupId, groupName } }: EndingProps) {
  const texts = useRoomTexts();
  const { changes } = useRooms();
  const ending = useEnding();
  const question = { label: texts.remove, title: texts.removeTitle(groupName), lead: texts.removeLead };
  return <Danger {...question} work={() => ending(changes.remove(groupId), texts.removed)} />;
}

/** The ways to leave, archive or delete a room. Rooms of external networks are managed there. */
export function Endings({ view }: EndingProps) {
  const isPrivate = view.groupType === 2;
  return (
    <div class="endings">
      {(isPrivate || view.role === "owner") && <ArchiveButton view={view} />}
      {!isPrivate && <Leave view={view} />}
      {view.role === "owner" && <Remove view={view} />}
    </div>
  );
}
