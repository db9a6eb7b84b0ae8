import type { Page } from "playwright-core";
import { faultless, faultsOf } from "../axe.ts";
import { handsOn } from "./hands.ts";
import { drawn, holdRequest } from "./hold.ts";
import type { Stage, Task } from "./task.ts";

const followLink = (page: Page, address: string): Promise<void> =>
  page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href });
    document.body.append(link);
    link.click();
    link.remove();
  }, address);

/** Closes the dialogs that the last task has left, and follows a link within the pages, by way of another page, so that all is fetched. */
async function follow(page: Page, address: string): Promise<void> {
  while ((await page.locator("dialog").count()) > 0) await page.keyboard.press("Escape");
  await followLink(page, "/user/pictures/");
  await page.locator("main.pictures").waitFor();
  await followLink(page, address);
}

/** How tasks are begun, and what is seen of them. */
export interface Way {
  readonly go: (page: Page, address: string) => Promise<unknown>;
  /** Looks at the page before the last key. Throws an Error with its faults. */
  readonly look: (page: Page) => Promise<void>;
  /** Waits until the page has taken the second press. */
  readonly settle: (page: Page) => Promise<unknown>;
}

/** By links within the pages, which other tests look at. */
export const within: Way = { go: follow, look: async () => {}, settle: drawn };

/** As new pages, at which axe looks in both themes. */
export const anew: Way = {
  go: (page, address) => page.goto(address),
  async look(page) {
    const faults = await faultsOf(page);
    if (JSON.stringify(faults) !== JSON.stringify(faultless)) throw new Error(JSON.stringify(faults));
  },
  // Nothing can be asked of a page that is leaving.
  settle: async () => {},
};

/**
 * Does a task with the keyboard alone while each answer is late, and presses its last key twice. Throws an Error with the reason if the
 * page does not do it, or does it twice.
 */
export async function drive(stage: Stage, task: Task, { go, look, settle }: Way): Promise<void> {
  const { page } = stage;
  const { begin, act, key = "Enter", done } = task;
  const path = await begin(stage);
  const held = task.call[0] === "SEND" ? stage.wire.hold(task) : await holdRequest(page, task);
  await go(page, `${stage.server.url}/user/${path}`);
  if (key === null) await Promise.all([held.asked(), act(handsOn(page))]);
  else {
    await act(handsOn(page));
    await look(page);
    held.begin();
    await Promise.all([held.asked(), page.keyboard.press(key)]);
    await page.keyboard.press(key);
  }
  await settle(page);
  held.letGo();
  await done(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // Another step to the next choice is another call.
  if (key?.startsWith("Arrow") !== true && held.calls() !== 1) throw new Error(`${held.calls()} calls`);
}
