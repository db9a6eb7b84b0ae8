import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { useKeptFocus } from "../../ui/lists/use-kept-focus.ts";
import { useAdminTexts } from "../texts/texts.ts";

/** The number of rows that are drawn initially, and added with each click. */
const drawnRows = 100;

interface ItemListProps<T> {
  readonly items: readonly T[];
  /** Draws a {@link ItemRow} with a key. */
  readonly row: (item: T) => ComponentChildren;
  /** Replaces an empty list. */
  readonly none: ComponentChildren;
  readonly look?: "" | "wide";
}

/** A list that is loaded as a whole. */
export function ItemList<T>({ items, row, none, look = "" }: ItemListProps<T>) {
  const texts = useAdminTexts();
  const [shown, setShown] = useState(drawnRows);
  const focus = useKeptFocus();
  return (
    <>
      {items.length === 0 && none}
      <ul {...focus} class={`items ${look}`}>
        {items.slice(0, shown).map(row)}
      </ul>
      {items.length > shown && <LinkButton onClick={() => setShown(shown + drawnRows)}>{texts.more}</LinkButton>}
    </>
  );
}

interface ItemRowProps {
  readonly name: string;
  /** The URL that the name links to. */
  readonly href?: string;
  /** Shown opposite the name, such as a state. */
  readonly side?: ComponentChildren;
  readonly about: ComponentChildren;
  readonly isEnded?: boolean;
  /** The actions for the item. */
  readonly children?: ComponentChildren;
}

/** A row of a {@link ItemList}: its name, facts and actions. */
export function ItemRow({ name, href, side, about, isEnded = false, children }: ItemRowProps) {
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
