import { Opens, DialogForm } from "../../ui/actions/dialog-form.tsx";
import { useTexts } from "../../app/context.ts";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

interface EditRoomProps {
  readonly view: RoomView;
  readonly onClose: () => void;
}

function EditRoom({ view, onClose }: EditRoomProps) {
  const texts = useRoomTexts();
  const { save } = useTexts();
  const { changes } = useRooms();
  const entries = {
    name: { label: texts.roomName, input: { maxlength: 128 } },
    topic: { label: texts.topic, optional: true, input: { maxlength: 1000, placeholder: texts.topicHint } },
  } as const;
  const submit = async (read: (name: keyof typeof entries) => string): Promise<string> => {
    await changes.amend(view.groupId, { name: read("name").trim(), topic: read("topic").trim() });
    return texts.roomSaved;
  };
  const initial = { name: view.groupName, topic: view.topic };
  return <DialogForm title={texts.editRoom} submit={save} {...{ entries, initial, onClose }} onSubmit={submit} />;
}

function EditButton({ view }: Pick<EditRoomProps, "view">) {
  const { editRoom } = useRoomTexts();
  return (
    <Opens look="link" label={editRoom}>
      {(close) => <EditRoom view={view} onClose={close} />}
    </Opens>
  );
}

/** The topic, with an edit button for owners and moderators. */
export function Topic({ view, canRun }: { readonly view: RoomView; readonly canRun: boolean }) {
  const texts = useRoomTexts();
  if (view.topic === "" && !canRun) return null;
  return (
    <section>
      <h3>{texts.topic}</h3>
      <p class={view.topic === "" ? "quiet" : ""} dir="auto">
        {view.topic === "" ? texts.noTopic : view.topic}
      </p>
      {canRun && <EditButton view={view} />}
    </section>
  );
}
