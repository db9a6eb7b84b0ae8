import type { TargetedInputEvent } from "preact";
import { Icon } from "../forms/icon.tsx";

interface FilterProps {
  readonly label: string;
  readonly value: string;
  /** The maximum length. */
  readonly longest?: number;
  readonly onValue: (value: string) => void;
}

/** A field for the words that filter a list. */
export function Filter({ label, value, longest, onValue }: FilterProps) {
  const words = { "aria-label": label, placeholder: label };
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void => onValue(currentTarget.value);
  return (
    <div class="seek">
      <Icon shape="search" />
      <input {...words} type="search" class="filter" maxLength={longest} value={value} onInput={onInput} />
    </div>
  );
}
