import { useId } from "preact/hooks";
import type { Signal } from "@preact/signals";
import { Select } from "./select.tsx";

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: Signal<T>;
  readonly options: readonly T[];
  readonly name: (option: T) => string;
}

/** A choice between a few options, which takes effect immediately. */
export function Choice<T extends string>({ label, value, options, name }: ChoiceProps<T>) {
  const id = useId();
  const named = options.map((option) => ({ value: option, name: name(option) }));
  const choose = (chosen: string): void => {
    value.value = options.find((option) => option === chosen) ?? value.value;
  };
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <Select id={id} value={value.value} options={named} onValue={choose} />
    </div>
  );
}
