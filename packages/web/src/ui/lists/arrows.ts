/** Moves the focus to an element, if there is one. Then the default action of the key is prevented. */
export function focusInstead(event: Event, target: HTMLElement | null): void {
  if (target === null) return;
  event.preventDefault();
  target.focus();
}

const neighbours: Readonly<Partial<Record<string, "previousElementSibling" | "nextElementSibling">>> = {
  ArrowUp: "previousElementSibling",
  ArrowDown: "nextElementSibling",
};

/** Finds the element to focus in the next line, which is null at the end of the list. */
type FindTarget = (next: Element | null, isUp: boolean) => HTMLElement | null;

/** Moves the focus with the arrow keys. `line` is the selector of lines. */
export function moveFocus(event: KeyboardEvent, line: string, findTarget: FindTarget): void {
  const from = event.target instanceof Element ? event.target.closest(line) : null;
  const way = neighbours[event.key];
  if (from !== null && way !== undefined) focusInstead(event, findTarget(from[way], event.key === "ArrowUp"));
}
