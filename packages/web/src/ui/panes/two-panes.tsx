import type { ComponentChildren } from "preact";

interface TwoPanesProps {
  readonly page: "teleprinter" | "chat" | "rooms";
  readonly title: string;
  /** True if an entry is open. A narrow window shows it instead of the list. */
  readonly isReading: boolean;
  readonly children: ComponentChildren;
}

/** A page with a list, and the open entry next to it. */
export const TwoPanes = ({ page, title, isReading, children }: TwoPanesProps) => (
  <main id="content" tabIndex={-1} class={isReading ? `${page} reading` : page}>
    <h1 class="unseen">{title}</h1>
    {children}
  </main>
);
