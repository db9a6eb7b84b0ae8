import { Button, type ButtonProps } from "./button.tsx";

/** A button that looks like a link in a text. */
export function LinkButton(attributes: Omit<ButtonProps, "class">) {
  return <Button class="link" {...attributes} />;
}
