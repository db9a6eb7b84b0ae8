import { useMemo } from "preact/hooks";
import { useAction } from "../../ui/actions/use-action.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { FormDialog } from "../../ui/panes/form-dialog.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useTicked } from "../making/new-room.tsx";
import { PeoplePicker } from "../making/people-picker.tsx";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";

interface AddPeopleProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly onClose: () => void;
}

/** The IDs of users who are already members. */
const membersOf = (room: Room): ReadonlySet<number> =>
  new Set(room.members.value.flatMap(({ userId }) => (userId === null ? [] : [Number(userId)])));

/** Adds people to a room. */
export function AddPeopleDialog({ room, view, onClose }: AddPeopleProps) {
  const texts = useRoomTexts();
  const { people, changes } = useRooms();
  const find = useMemo(people, [people]);
  const { chosen, toggle } = useTicked();
  const { busy, text, run } = useAction();
  const add = async (): Promise<string> => {
    const userIds = chosen.map(({ userId }) => userId);
    await changes.addMembers(view.groupId, userIds);
    await room.loadMembers();
    onClose();
    return texts.added(userIds.length);
  };
  const submit = chosen.length === 0 ? texts.addPeople : texts.addChosen(chosen.length);
  const picker = { find, label: texts.people, chosen, onChoose: toggle, without: membersOf(room) };
  return (
    <FormDialog
      title={texts.addPeople}
      submit={submit}
      busy={busy}
      isReady={chosen.length > 0}
      onSubmit={() => run(add)}
      onClose={onClose}
    >
      <PeoplePicker {...picker} />
      <ErrorText text={text} />
    </FormDialog>
  );
}
