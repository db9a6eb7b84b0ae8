import { useLayoutEffect, useRef } from "preact/hooks";

/** The control of a list that had the focus last. */
interface FocusedControl {
  readonly control: HTMLElement;
  readonly row: Element;
  /** Which row of the list it was, and which control of the row. */
  readonly rowIndex: number;
  readonly controlIndex: number;
}

/** The controls of a row, without those of its dialogs. */
const controlsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>("a, button")].filter((control) => control.closest("dialog") === null);

function placeOf(list: Element, target: EventTarget | null): FocusedControl | null {
  const rows = [...list.children];
  const row = rows.find((one) => target instanceof Node && one.contains(target));
  const control = row && controlsOf(row).find((one) => one === target);
  if (row === undefined || control === undefined) return null;
  return { control, row, rowIndex: rows.indexOf(row), controlIndex: controlsOf(row).indexOf(control) };
}

/** The next focus after a control is removed: the same control of the row that took its place. */
function successorOf(list: Element, { row, rowIndex, controlIndex }: FocusedControl): HTMLElement | undefined {
  const current = row.isConnected ? row : (list.children[rowIndex] ?? list.lastElementChild);
  const controls = current === null ? [] : controlsOf(current);
  return controls[controlIndex] ?? controls.at(-1);
}

/** Moves the focus on after a control is gone: in an empty list to the heading of its section. */
function focusAfter(list: Element, place: FocusedControl): void {
  const heading = list.closest("section")?.querySelector<HTMLElement>("h2, h3");
  if (heading) heading.tabIndex = -1;
  (successorOf(list, place) ?? heading)?.focus();
}

/**
 * Keeps the focus in a list whose rows are removed by their own controls: it moves to the next row, or to the heading of the
 * section after the last one. Without this, the focus falls to the page.
 */
export function useKeptFocus() {
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<FocusedControl | null>(null);
  useLayoutEffect(() => {
    const place = last.current;
    if (place === null || list.current === null || place.control.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) focusAfter(list.current, place);
  });
  const onFocusIn = ({ target }: FocusEvent): void => {
    last.current = (list.current && placeOf(list.current, target)) ?? last.current;
  };
  return { ref: list, onFocusIn };
}
