import type { ComponentProps } from "preact";

/** The attributes of a {@link Button}. */
export type ButtonProps = Omit<ComponentProps<"button">, "type" | "ref">;

/** A button that does something: without a type, browsers let a button send the form that it is in. */
export function Button(attributes: ButtonProps) {
  return <button type="button" {...attributes} />;
}
