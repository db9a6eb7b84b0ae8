import type { ComponentProps } from "preact";
import { Icon, type Shape } from "./icon.tsx";

interface IconButtonProps extends Omit<ComponentProps<"button">, "class" | "aria-label" | "children" | "ref"> {
  readonly shape: Shape;
  readonly look?: string;
  /** The name for screen readers. */
  readonly label: string;
}

/** A button that shows an icon. */
export const IconButton = ({ shape, label, look = "plain", type = "button", ...attributes }: IconButtonProps) => (
  <button {...attributes} type={type} class={look} aria-label={label}>
    <Icon shape={shape} />
  </button>
);
