import type { ComponentProps } from "preact";
import { Icon, type Shape } from "./icon.tsx";

interface IconButtonProps extends Omit<ComponentProps<"button">, "class" | "aria-label" | "children" | "ref"> {
  readonly shape: Shape;
  /** Read by screen readers, since the drawing says nothing to them. */
  readonly label: string;
}

/** A button that shows a drawing. */
export function IconButton({ shape, label, type = "button", ...attributes }: IconButtonProps) {
  return (
    <button {...attributes} type={type} class="plain" aria-label={label}>
      <Icon shape={shape} />
    </button>
  );
}
