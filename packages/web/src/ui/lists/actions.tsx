import { Button } from "../forms/button.tsx";
import type { MenuItem } from "./menu.tsx";

function ActionButton({ name, onChoose }: MenuItem) {
  return <Button onClick={onChoose}>{name}</Button>;
}

export function Actions({ actions }: { readonly actions: readonly MenuItem[] }) {
  const buttons = actions.map((action) => <ActionButton key={action.name} {...action} />);
  return <div class="actions">{buttons}</div>;
}
