import type { ComponentChildren } from "preact";

interface CheckProps {
  readonly name?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A checkbox with its label. */
export const Check = ({ onChecked, children, ...attributes }: CheckProps) => (
  <label class="check">
    <input {...attributes} type="checkbox" onChange={({ currentTarget }) => onChecked(currentTarget.checked)} />
    <span>{children}</span>
  </label>
);
