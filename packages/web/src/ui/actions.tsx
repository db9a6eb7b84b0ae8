import type { MenuItem } from "./menu.tsx";

/** Buttons for what can be done, next to each other. */
export function Actions({ actions }: { readonly actions: readonly MenuItem[] }) {
  return (
    <div class="actions">
      {actions.map(({ name, onChoose }) => (
        <button key={name} type="button" onClick={onChoose}>
          {name}
        </button>
      ))}
    </div>
  );
}
