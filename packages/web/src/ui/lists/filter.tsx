import type { TargetedInputEvent } from "preact";

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Where the words are typed that the rows of a list must have. */
export function Filter({ label, value, onValue }: FilterProps) {
  const words = { "aria-label": label, placeholder: label };
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void => onValue(currentTarget.value);
  return <input {...words} type="search" class="filter" value={value} onInput={onInput} />;
}
