import type { ComponentProps } from "preact";

/** A link that opens in a new tab, without a referrer. */
export function TabLink(attributes: ComponentProps<"a">) {
  return <a target="_blank" rel="noreferrer noopener" {...attributes} />;
}
