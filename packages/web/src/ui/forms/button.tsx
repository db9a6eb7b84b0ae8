import type { ComponentProps } from "preact";

/** The attributes of a {@link Button}. */
export type ButtonProps = Omit<ComponentProps<"button">, "type" | "ref">;

/** A button with `type="button"`. Without a type, a button submits its form. */
export function Button(attributes: ButtonProps) {
  return <button type="button" {...attributes} />;
}
