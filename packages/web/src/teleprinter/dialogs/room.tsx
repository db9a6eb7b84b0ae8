import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useTeleprinter } from "../state/context.ts";
import { useApp, useTexts } from "../../app/context.ts";
import type { Server } from "../../server/server.ts";
import { useLoaded } from "../../ui/actions/use-loaded.ts";
import { Check } from "../../ui/forms/check.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { FormDialog } from "../../ui/panes/form-dialog.tsx";
import { lifeOf, secondsOf } from "../sending/delivery.ts";
import { LifeChoice } from "../sending/life-choice.tsx";
import type { LifeName } from "../sending/texts.ts";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { useTask } from "../../ui/forms/use-task.ts";

type RoomView = Awaited<ReturnType<Server["rooms"]["list"]>>["list"][number];

/** The maximum number of rooms to choose from. */
const mostRooms = 100;

/** The rooms with the newest messages. Null until they are loaded, with the error if that fails. */
function useRooms() {
  const { rooms: api } = useAccount().server;
  const { value, error } = useLoaded(async () => (await api.list({ pageSize: mostRooms })).list, [api]);
  return { rooms: value, error };
}

interface ChoiceProps {
  readonly rooms: readonly Pick<RoomView, "groupId" | "groupName">[];
  readonly groupId: number | null;
  readonly onChoose: (groupId: number | null) => void;
}

function RoomChoice({ rooms, groupId, onChoose }: ChoiceProps) {
  const texts = useTexts();
  const isListed = groupId === null || rooms.some((room) => room.groupId === groupId);
  const options = [
    { value: "", name: texts.noPrintedRoom },
    ...(isListed ? [] : [{ value: groupId, name: groupId }]),
    ...rooms.map((room) => ({ value: room.groupId, name: room.groupName })),
  ];
  const choose = (value: string): void => onChoose(value === "" ? null : Number(value));
  return (
    <Labelled label={texts.printedRoom}>
      {(id) => <Select id={id} value={groupId ?? ""} options={options} onValue={choose} />}
    </Labelled>
  );
}

const lasting = (name: LifeName): { readonly life?: number } => {
  const life = secondsOf(name);
  return life === null ? {} : { life };
};

/** The room that a device prints, and a function to change it. */
function usePrintedRoom(device: DeviceView) {
  const { devices } = useTeleprinter();
  const { notices } = useApp();
  const texts = useTexts();
  const [groupId, setGroupId] = useState(device.room?.groupId ?? null);
  const [mentions, setMentions] = useState(device.room?.mentions ?? false);
  const [life, setLife] = useState(lifeOf(device.room?.life));
  const save = async (): Promise<void> => {
    await devices.setRoom(device, groupId === null ? null : { groupId, mentions, ...lasting(life) });
    notices.show(groupId === null ? texts.printsNoRoom(device.name) : texts.printsRoom(device.name));
  };
  return { groupId, setGroupId, mentions, setMentions, life, setLife, save };
}

interface MentionsChoiceProps {
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChecked: (checked: boolean) => void;
}

function MentionsChoice(props: MentionsChoiceProps) {
  return <Check {...props}>{useTexts().printMentions}</Check>;
}

export function RoomDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const texts = useTexts();
  const task = useTask();
  const { rooms, error } = useRooms();
  const { groupId, setGroupId, mentions, setMentions, life, setLife, save } = usePrintedRoom(device);
  const form = { title: texts.printRoom, lead: texts.printRoomLead, submit: texts.save, busy: task.busy, onClose };
  return (
    <FormDialog {...form} isReady={rooms !== null} onSubmit={() => task.run(() => save().then(onClose))}>
      <RoomChoice rooms={rooms ?? []} groupId={groupId} onChoose={setGroupId} />
      <MentionsChoice checked={mentions} disabled={groupId === null} onChecked={setMentions} />
      <LifeChoice life={life} onLife={setLife} disabled={groupId === null} />
      <ErrorText text={task.error ?? error} />
    </FormDialog>
  );
}
