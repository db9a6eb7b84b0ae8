import { useApp, useFormat } from "../../app/context.ts";
import { useChoice } from "../../ui/actions/use-choice.ts";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { Select } from "../../ui/forms/select.tsx";
import type { RoomView } from "../content/api.ts";
import { useSideTexts } from "../content/side-texts.ts";
import { useRooms } from "../state/context.ts";

const mutes = ["off", "hour", "tomorrow", "always"] as const;

type Mute = (typeof mutes)[number];

/** The latest time that a `Date` can represent. */
const forever = 8_640_000_000_000_000;

/** Eight o'clock tomorrow morning, in the time zone of the browser. */
function tomorrow(): number {
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(8, 0, 0, 0);
}

const ends: Readonly<Record<Mute, () => number>> = {
  off: () => 0,
  hour: () => Date.now() + 3_600_000,
  tomorrow,
  always: () => forever,
};

/** Chooses how long notifications of the room are muted. */
export function MuteChoice({ view: { groupId, notify, mutedUntil } }: { readonly view: RoomView }) {
  const texts = useSideTexts();
  const format = useFormat();
  const { now } = useApp();
  const { amends } = useRooms();
  const mute = async (chosen: Mute | "until"): Promise<null> => {
    if (chosen !== "until") await amends.notify(groupId, notify, ends[chosen]());
    return null;
  };
  const value = mutedUntil <= now.value ? "off" : mutedUntil === forever ? "always" : "until";
  const { shown, error, choose } = useChoice<Mute | "until">(value, mute, "mutedUntil");
  const onValue = (wanted: string): void => {
    const chosen = mutes.find((one) => one === wanted);
    if (chosen !== undefined) choose(chosen);
  };
  const until = shown === "until" ? [{ value: shown, name: texts.mutedUntil(format.date(mutedUntil)) }] : [];
  const options = [...until, ...mutes.map((one) => ({ value: one, name: texts.mutes[one] }))];
  return (
    <Labelled label={texts.mute} error={error}>
      {(id) => <Select id={id} value={shown} options={options} onValue={onValue} />}
    </Labelled>
  );
}
