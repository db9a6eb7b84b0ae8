import { useId } from "preact/hooks";
import type { Signal } from "@preact/signals";

/** What a choice asks for. */
interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: Signal<T>;
  readonly options: readonly T[];
  readonly name: (option: T) => string;
}

/** One of a few options. A choice takes effect immediately. */
export function Choice<T extends string>({ label, value, options, name }: ChoiceProps<T>) {
  const id = useId();
  const choose = (chosen: string): void => {
    value.value = options.find((option) => option === chosen) ?? value.value;
  };
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={value.value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {name(option)}
          </option>
        ))}
      </select>
    </div>
  );
}
