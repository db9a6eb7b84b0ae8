import type { Locator, Page } from "playwright-core";

/** Presses of the Tab key after which something counts as out of reach. */
const most = 150;

/** How many presses of Tab may lead from the focus to an element: 0 at it, and 0 also where it stands before the focus. */
function stepsTo(element: Element): { readonly isThere: boolean; readonly left: number } {
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const isBefore = (a: Element, b: Element): boolean =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isReached = (one: Element): boolean =>
    !one.matches(":disabled, [tabindex='-1']") &&
    one.closest("dialog") === element.closest("dialog") &&
    one.checkVisibility({ visibilityProperty: true });
  const focused = document.activeElement ?? document.body;
  const between = controls.filter(
    (one) => isBefore(focused, one) && (one === element || isBefore(one, element)) && isReached(one),
  );
  return { isThere: focused === element, left: between.length };
}

/** Uses a page with the keyboard alone. */
export interface Hands {
  readonly page: Page;
  /** Moves the focus to an element. Throws an Error if Tab does not lead there. */
  readonly to: (target: Locator) => Promise<void>;
  /** Moves to a button or a link, and presses Enter. */
  readonly press: (target: Locator) => Promise<void>;
  /** Moves to a button of this name. */
  readonly toButton: (name: string | RegExp) => Promise<void>;
  readonly pressButton: (name: string | RegExp) => Promise<void>;
  /** Moves to a line, and replaces its text. */
  readonly write: (label: string | RegExp, text: string) => Promise<void>;
  /** Moves to a list, and chooses the option that begins with these letters. */
  readonly choose: (label: string, option: string) => Promise<void>;
}

export function handsOn(page: Page): Hands {
  const { keyboard } = page;
  const to = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let presses = 0; presses < most; presses += 1) {
      const { isThere, left } = await target.evaluate(stepsTo);
      if (isThere) return;
      for (let step = 0; step < Math.max(1, left); step += 1) await keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  };
  const press = async (target: Locator): Promise<void> => {
    await to(target);
    await keyboard.press("Enter");
  };
  const button = (name: string | RegExp): Locator =>
    page.getByRole("button", { name, exact: typeof name === "string" });
  return {
    page,
    to,
    press,
    toButton: (name) => to(button(name)),
    pressButton: (name) => press(button(name)),
    async write(label, text) {
      await to(page.getByLabel(label, { exact: typeof label === "string" }));
      await keyboard.press("ControlOrMeta+a");
      await keyboard.insertText(text);
    },
    async choose(label, option) {
      await to(page.getByLabel(label, { exact: true }));
      await keyboard.type(option);
    },
  };
}
