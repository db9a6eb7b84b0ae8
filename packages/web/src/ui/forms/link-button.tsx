import { Button, type ButtonProps } from "./button.tsx";

/** A button that looks like a link, within a line of text. */
export function LinkButton(attributes: Omit<ButtonProps, "class">) {
  return <Button class="link" {...attributes} />;
}
