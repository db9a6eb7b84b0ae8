import type { DeviceView } from "@telex/core";
import { useEffect, useId, useState } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import type { Server } from "../session/server.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { type Task, useTask } from "./use-task.ts";

type RoomView = Awaited<ReturnType<Server["rooms"]["list"]>>["list"][number];

/** The rooms to choose from; more than these are not offered. */
const mostRooms = 100;

/** The rooms of the person with the newest messages; null before they are known. */
function useRooms(task: Task): readonly Pick<RoomView, "groupId" | "groupName">[] | null {
  const { rooms: api } = useAccount().server;
  const [rooms, setRooms] = useState<readonly RoomView[] | null>(null);
  useEffect(() => task.run(async () => setRooms((await api.list({ pageSize: mostRooms })).list)), [api]);
  return rooms;
}

interface ChoiceProps {
  readonly rooms: NonNullable<ReturnType<typeof useRooms>>;
  readonly groupId: number | null;
  readonly onChoose: (groupId: number | null) => void;
}

function RoomChoice({ rooms, groupId, onChoose }: ChoiceProps) {
  const texts = useTexts();
  const id = useId();
  const isListed = groupId === null || rooms.some((room) => room.groupId === groupId);
  return (
    <div class="field">
      <label for={id}>{texts.printedRoom}</label>
      <select
        id={id}
        value={groupId ?? ""}
        onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
      >
        <option value="">{texts.noPrintedRoom}</option>
        {!isListed && <option value={groupId}>{groupId}</option>}
        {rooms.map((room) => (
          <option key={room.groupId} value={room.groupId}>
            {room.groupName}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Has a device print what is said in a room. */
export function RoomDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const { devices } = useAccount().teleprinter;
  const { notices } = useApp();
  const texts = useTexts();
  const task = useTask();
  const rooms = useRooms(task);
  const [groupId, setGroupId] = useState(device.room?.groupId ?? null);
  const [mentions, setMentions] = useState(device.room?.mentions ?? false);
  const save = async (): Promise<void> => {
    await devices.setRoom(device, groupId === null ? null : { groupId, mentions });
    notices.say(groupId === null ? texts.printsNoRoom(device.name) : texts.printsRoom(device.name));
    onClose();
  };
  const busy = task.busy || rooms === null;
  const form = { title: texts.printRoom, submit: texts.save, busy, onSubmit: () => task.run(save), onClose };
  return (
    <FormDialog {...form} lead={texts.printRoomLead}>
      <RoomChoice rooms={rooms ?? []} groupId={groupId} onChoose={setGroupId} />
      <label class="check">
        <input
          type="checkbox"
          checked={mentions}
          disabled={groupId === null}
          onChange={({ currentTarget }) => setMentions(currentTarget.checked)}
        />
        {texts.printMentions}
      </label>
      <ErrorText text={task.problem && texts.problem[task.problem]} />
    </FormDialog>
  );
}
