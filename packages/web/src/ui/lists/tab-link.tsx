import type { ComponentProps } from "preact";

/** A link that opens in another tab, and does not tell where it was clicked. */
export function TabLink(attributes: ComponentProps<"a">) {
  return <a target="_blank" rel="noreferrer noopener" {...attributes} />;
}
