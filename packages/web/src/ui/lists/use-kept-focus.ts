import { useLayoutEffect, useRef } from "preact/hooks";

/** The control of a list that last had the focus. */
interface FocusedControl {
  readonly control: HTMLElement;
  readonly row: Element;
  /** The indices of its row in the list, and of the control in the row. */
  readonly rowIndex: number;
  readonly controlIndex: number;
}

/** The controls of a row, except those in its dialogs. */
const controlsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>("a, button")].filter((control) => control.closest("dialog") === null);

function focusedIn(list: Element, target: EventTarget | null): FocusedControl | null {
  const rows = [...list.children];
  const row = rows.find((one) => target instanceof Node && one.contains(target));
  const control = row && controlsOf(row).find((one) => one === target);
  if (row === undefined || control === undefined) return null;
  return { control, row, rowIndex: rows.indexOf(row), controlIndex: controlsOf(row).indexOf(control) };
}

/** The control to focus after one is removed: the same control of the row that is now at its position. */
function successorOf(list: Element, { row, rowIndex, controlIndex }: FocusedControl): HTMLElement | undefined {
  const current = row.isConnected ? row : (list.children[rowIndex] ?? list.lastElementChild);
  const controls = current === null ? [] : controlsOf(current);
  return controls[controlIndex] ?? controls.at(-1);
}

/** Moves the focus after a control is removed. In an empty list, it moves to the heading of the section. */
function focusAfter(list: Element, focused: FocusedControl): void {
  const heading = list.closest("section")?.querySelector<HTMLElement>("h2, h3");
  if (heading) heading.tabIndex = -1;
  (successorOf(list, focused) ?? heading)?.focus();
}

/**
 * Keeps the focus in a list whose rows are removed by their own controls. It moves to the next row, or after the last row to the heading
 * of the section. Otherwise the page would get the focus.
 */
export function useKeptFocus() {
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<FocusedControl | null>(null);
  useLayoutEffect(() => {
    const focused = last.current;
    if (focused === null || list.current === null || focused.control.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) focusAfter(list.current, focused);
  });
  const onFocusIn = ({ target }: FocusEvent): void => {
    last.current = (list.current && focusedIn(list.current, target)) ?? last.current;
  };
  return { ref: list, onFocusIn };
}
