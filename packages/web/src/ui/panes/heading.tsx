import type { ComponentChildren } from "preact";
import { Icon } from "../forms/icon.tsx";

interface HeadingProps {
  readonly title: string;
  /** Where the list is, that a narrow window shows instead. */
  readonly back: string;
  readonly backLabel: string;
  /** The line below the title. */
  readonly about: ComponentChildren;
  /** Follows the title, such as a menu. */
  readonly children?: ComponentChildren;
}

/** The heading of one device or conversation. */
export const Heading = ({ title, back, backLabel, about, children }: HeadingProps) => (
  <header class="heading">
    <a class="button plain back" href={back} aria-label={backLabel}>
      <Icon shape="back" />
    </a>
    <div class="title">
      <h2 dir="auto">{title}</h2>
      {about}
    </div>
    {children}
  </header>
);
