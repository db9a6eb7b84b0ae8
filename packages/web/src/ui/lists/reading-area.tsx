import type { ComponentChildren, RefObject } from "preact";
import { Button } from "../forms/button.tsx";
import { Icon } from "../forms/icon.tsx";

interface ReadingAreaProps {
  readonly class: string;
  readonly label: string;
  readonly reading: {
    readonly view: RefObject<HTMLDivElement | null>;
    readonly onScroll: () => void;
  };
  readonly children: ComponentChildren;
}

/** A scrollable area in the page. */
export const ReadingArea = ({ class: look, label, reading: { view, onScroll }, children }: ReadingAreaProps) => (
  // Focusable, so that the keyboard can scroll it.
  <div class={look} ref={view} onScroll={onScroll} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
);

/** The button that scrolls to the end. */
export const ToEnd = ({
  onClick,
  children,
}: {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}) => (
  <Button class="below" onClick={onClick}>
    <Icon shape="down" />
    {children}
  </Button>
);
