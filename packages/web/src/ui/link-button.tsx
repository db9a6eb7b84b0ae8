import type { ComponentChildren } from "preact";

/** What a button that looks like a link asks for. */
interface LinkButtonProps {
  readonly title?: string | undefined;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button that looks like a link, within a line of text. */
export function LinkButton({ title, onClick, children }: LinkButtonProps) {
  return (
    <button type="button" class="link" title={title} onClick={onClick}>
      {children}
    </button>
  );
}
