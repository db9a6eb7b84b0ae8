import type { TargetedInputEvent } from "preact";
import { useApp, useTexts } from "../../app/context.ts";
import { Field, type FieldProps } from "../../ui/forms/field.tsx";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { Select } from "../../ui/forms/select.tsx";
import type { Chosen } from "./delivery.ts";
import { LifeChoice } from "./life-choice.tsx";
import { useSendingTexts } from "./texts.ts";

interface OptionsProps {
  readonly id: string;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  /** True if the title gets the focus. Default: false. */
  readonly isFirst?: boolean;
}

const titleInput: FieldProps["input"] = { maxlength: 128, autocomplete: "off" };

const year = 365 * 24 * 3_600_000;

/** A time in the format of a field for date and time, in the local time zone. */
const localOf = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function At({ chosen, onChoose }: Pick<OptionsProps, "chosen" | "onChoose">) {
  const { now } = useApp();
  const texts = useSendingTexts();
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void =>
    onChoose({ ...chosen, at: currentTarget.value });
  const line = { value: chosen.at, onInput, max: localOf(now.value + year) };
  return (
    <Labelled label={texts.at} hint={texts.atHint}>
      {(field) => <input type="datetime-local" id={field} aria-describedby={`${field}-hint`} {...line} />}
    </Labelled>
  );
}

/** The urgency and the lifetime of the text. */
function Urgency({ chosen, onChoose }: Pick<OptionsProps, "chosen" | "onChoose">) {
  const { priorities } = useTexts();
  const texts = useSendingTexts();
  const levels = ([5, 4, 3, 2, 1] as const).map((value) => ({
    value,
    name: value === 3 ? texts.normal : priorities[value],
  }));
  return (
    <>
      <Labelled label={texts.priority}>
        {(field) => (
          <Select
            id={field}
            value={chosen.priority}
            options={levels}
            onValue={(value) => onChoose({ ...chosen, priority: Number(value) })}
          />
        )}
      </Labelled>
      <LifeChoice life={chosen.life} onLife={(life) => onChoose({ ...chosen, life })} />
    </>
  );
}

/** The delivery options of the next text. */
export function Options({ id, chosen, onChoose, isFirst = false }: OptionsProps) {
  const shared = useTexts();
  const texts = useSendingTexts();
  const setTitle = (title: string): void => onChoose({ ...chosen, title });
  return (
    <div class="sending" id={id} role="group" aria-label={shared.sendOptions}>
      <Field label={texts.title} value={chosen.title} onValue={setTitle} first={isFirst} optional input={titleInput} />
      <Urgency chosen={chosen} onChoose={onChoose} />
      <At chosen={chosen} onChoose={onChoose} />
    </div>
  );
}
