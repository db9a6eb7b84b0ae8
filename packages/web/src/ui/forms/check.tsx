import type { ComponentChildren } from "preact";

/** What a box to check needs. */
interface CheckProps {
  readonly name?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to check, and what it means. */
export function Check({ onChecked, children, ...attributes }: CheckProps) {
  return (
    <label class="check">
      <input {...attributes} type="checkbox" onChange={({ currentTarget }) => onChecked(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
