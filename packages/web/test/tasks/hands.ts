import type { Locator, Page } from "playwright-core";

/** The number of Tab presses after which an element counts as unreachable. */
const most = 150;

/** The maximum number of Tab presses from the focus to an element. 0 if the element has the focus, or is before it. */
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

/** Uses a page only with the keyboard. */
export interface Hands {
  readonly page: Page;
  /** Moves the focus to an element. Throws an Error if Tab does not reach it. */
  readonly to: (target: Locator) => Promise<void>;
  /** Moves the focus to a button or a link, and presses Enter. */
  readonly press: (target: Locator) => Promise<void>;
  /** Moves the focus to a button with this name. */
  readonly toButton: (name: string | RegExp) => Promise<void>;
  readonly pressButton: (name: string | RegExp) => Promise<void>;
  /** Moves the focus to a text field, and replaces its text. */
  readonly write: (label: string | RegExp, text: string) => Promise<void>;
  /** Moves the focus to a list, and chooses the option that begins with these letters. */
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
      const list = page.getByLabel(label, { exact: true });
      // The options may be loaded after the list is shown.
      await list.locator("option", { hasText: option }).first().waitFor({ state: "attached" });
      await to(list);
      await keyboard.type(option);
    },
  };
}
