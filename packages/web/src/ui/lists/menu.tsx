import { Button } from "../forms/button.tsx";
import { IconButton } from "../forms/icon-button.tsx";

interface MenuProps {
  /** Unique in the page. */
  readonly id: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
}

export interface MenuItem {
  readonly name: string;
  readonly onChoose: () => void;
}

/** A button that opens a menu. Choosing an item closes the menu. */
export const Menu = ({ id, label, items }: MenuProps) => (
  <>
    <IconButton shape="more" label={label} popovertarget={id} />
    <div id={id} class="panel menu" popover="auto" role="group" aria-label={label}>
      {/* The key is the index, so that a button that is renamed when chosen can still close the menu and keep the focus. */}
      {items.map(({ name, onChoose }, index) => (
        <Button key={index} popovertarget={id} popovertargetaction="hide" onClick={onChoose}>
          {name}
        </Button>
      ))}
    </div>
  </>
);
