import type { TargetedInputEvent } from "preact";
import { useId } from "preact/hooks";
import { Hint } from "./hint.tsx";

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly hint: string;
  readonly onValue: (value: number) => void;
}

/** A slider for an integer from 1 to a maximum. It takes effect while it moves. */
export function Slider({ label, value, max, hint, onValue }: SliderProps) {
  const id = useId();
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void =>
    onValue(currentTarget.valueAsNumber);
  const range = { type: "range", min: 1, max, value, onInput } as const;
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <input {...range} id={id} aria-describedby={`${id}-hint`} />
      <Hint id={id} text={hint} />
    </div>
  );
}
