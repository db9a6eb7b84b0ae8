import type { ComponentChildren } from "preact";

interface EntryLinkProps {
  readonly href: string;
  readonly name: string;
  /** True if its page is open. */
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}

/** An entry of a list, which links to its own page. */
export const EntryLink = ({ href, name, isCurrent, children }: EntryLinkProps) => (
  <li>
    <a href={href} aria-current={isCurrent ? "page" : undefined}>
      <span class="name" dir="auto">
        {name}
      </span>
      {children}
    </a>
  </li>
);
