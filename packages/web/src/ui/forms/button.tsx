import type { ComponentProps } from "preact";

/** The attributes of a {@link Button}. */
export type ButtonProps = Omit<ComponentProps<"button">, "type" | "ref">;

/** A button with an action. Without a type, browsers let a button submit the form that it is in. */
export function Button(attributes: ButtonProps) {
  return <button type="button" {...attributes} />;
}
