import { useId } from "preact/hooks";

/** What a slider sets. */
interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly hint: string;
  readonly onValue: (value: number) => void;
}

/** A whole number from 1 to a maximum. Takes effect while it moves. */
export function Slider({ label, value, max, hint, onValue }: SliderProps) {
  const id = useId();
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={1}
        max={max}
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onValue(currentTarget.valueAsNumber)}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
