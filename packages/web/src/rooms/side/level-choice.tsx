import { useChoice } from "../../ui/actions/use-choice.ts";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { Select } from "../../ui/forms/select.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import type { Level } from "../state/amends.ts";
import { useRooms } from "../state/context.ts";

const levels: readonly Level[] = ["default", "all", "mentions", "none"];

/** Chooses which messages of the room cause notifications. */
export function LevelChoice({ view: { groupId, notify } }: { readonly view: RoomView }) {
  const texts = useRoomTexts();
  const { amends } = useRooms();
  const save = (level: Level): Promise<null> => amends.notify(groupId, level).then(() => null);
  const { shown, error, choose } = useChoice(notify, save, "level");
  const onValue = (value: string): void => {
    const level = levels.find((one) => one === value);
    if (level !== undefined) choose(level);
  };
  const options = levels.map((level) => ({ value: level, name: texts.levels[level] }));
  return (
    <Labelled label={texts.notifyMe} error={error}>
      {(id) => <Select id={id} value={shown} options={options} onValue={onValue} />}
    </Labelled>
  );
}
