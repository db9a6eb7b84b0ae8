import type { ComponentChildren } from "preact";
import { Icon } from "../forms/icon.tsx";

interface HeadingProps {
  readonly title: string;
  /** The URL of the list, which replaces this page in a narrow window. */
  readonly back: string;
  readonly backLabel: string;
  /** The line below the title. */
  readonly about: ComponentChildren;
  /** Follows the title, such as a menu. */
  readonly children?: ComponentChildren;
}

/** A link to the list, which replaces this page in a narrow window. */
export const BackLink = ({ href, label }: { readonly href: string; readonly label: string }) => (
  <a class="button plain back" href={href} aria-label={label}>
    <Icon shape="back" />
  </a>
);

/** The heading of a device or conversation. */
export const Heading = ({ title, back, backLabel, about, children }: HeadingProps) => (
  <header class="heading">
    <BackLink href={back} label={backLabel} />
    <div class="title">
      <h2 dir="auto">{title}</h2>
      {about}
    </div>
    {children}
  </header>
);
