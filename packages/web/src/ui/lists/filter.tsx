import type { TargetedInputEvent } from "preact";
import { Icon } from "../forms/icon.tsx";

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Where the words are typed that the rows of a list must have. */
export function Filter({ label, value, onValue }: FilterProps) {
  const words = { "aria-label": label, placeholder: label };
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void => onValue(currentTarget.value);
  return (
    <div class="seek">
      <Icon shape="search" />
      <input {...words} type="search" class="filter" value={value} onInput={onInput} />
    </div>
  );
}
