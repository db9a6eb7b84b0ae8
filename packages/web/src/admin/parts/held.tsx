import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { useKeptFocus } from "../../ui/lists/use-kept-focus.ts";
import { useAdminTexts } from "../texts/texts.ts";

/** Rows that are drawn at first, and with each press. */
const drawnRows = 100;

interface HeldListProps<T> {
  readonly items: readonly T[];
  /** Draws a {@link HeldRow} with a key. */
  readonly row: (item: T) => ComponentChildren;
  /** Shown in the place of an empty list. */
  readonly none: ComponentChildren;
  readonly look?: "" | "wide";
}

/** A list that was fetched as a whole. */
export function HeldList<T>({ items, row, none, look = "" }: HeldListProps<T>) {
  const texts = useAdminTexts();
  const [shown, setShown] = useState(drawnRows);
  const focus = useKeptFocus();
  return (
    <>
      {items.length === 0 && none}
      <ul {...focus} class={`held ${look}`}>
        {items.slice(0, shown).map(row)}
      </ul>
      {items.length > shown && <LinkButton onClick={() => setShown(shown + drawnRows)}>{texts.more}</LinkButton>}
    </>
  );
}

interface HeldRowProps {
  readonly name: string;
  /** Where the name leads. */
  readonly href?: string;
  /** Shown across from the name, such as a state. */
  readonly side?: ComponentChildren;
  readonly about: ComponentChildren;
  readonly isEnded?: boolean;
  /** The actions on the item. */
  readonly children?: ComponentChildren;
}

/** A row of a {@link HeldList}: its name, facts and actions. */
export function HeldRow({ name, href, side, about, isEnded = false, children }: HeldRowProps) {
  const named = { class: "name", dir: "auto", children: name } as const;
  return (
    <li class={isEnded ? "ended" : ""}>
      <p class="first">
        {href === undefined ? <span {...named} /> : <a {...named} href={href} />}
        {side}
      </p>
      <p class="hint">{about}</p>
      <div class="actions links">{children}</div>
    </li>
  );
}
