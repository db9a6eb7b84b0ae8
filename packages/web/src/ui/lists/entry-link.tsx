import type { ComponentChildren } from "preact";

/** An entry of a list that leads to its own page. */
interface EntryLinkProps {
  readonly href: string;
  readonly name: string;
  /** True if its page is open. */
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}

/** An entry of a list, with its name first. */
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
