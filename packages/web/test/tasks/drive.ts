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

/** Closes the dialogs of the last task, and follows a link within the pages. It goes through another page, so that all data is loaded. */
async function follow(page: Page, address: string): Promise<void> {
  while ((await page.locator("dialog").count()) > 0) await page.keyboard.press("Escape");
  await followLink(page, "/user/pictures/");
  await page.locator("main.pictures").waitFor();
  await followLink(page, address);
}

/** The way in which tasks are started and checked. */
export interface Way {
  readonly go: (page: Page, address: string) => Promise<unknown>;
  /** Checks the page before the last key. Throws an Error with its faults. */
  readonly look: (page: Page) => Promise<void>;
  /** Waits until the page has handled the second press. */
  readonly settle: (page: Page) => Promise<unknown>;
}

/** Uses links within the pages, without further checks. */
export const byLinks: Way = { go: follow, look: async () => {}, settle: drawn };

/** Opens new pages, which axe checks in both themes. */
export const inNewPages: Way = {
  go: (page, address) => page.goto(address),
  async look(page) {
    const faults = await faultsOf(page);
    if (JSON.stringify(faults) !== JSON.stringify(faultless)) throw new Error(JSON.stringify(faults));
  },
  // A page that is being left cannot be queried.
  settle: async () => {},
};

/**
 * Performs a task with the keyboard while each response is delayed, and presses its last key twice. Throws an Error if the page does not
 * perform the task exactly once.
 */
export async function drive(stage: Stage, task: Task, { go, look, settle }: Way): Promise<void> {
  const { page } = stage;
  const { begin, act, key = "Enter", done } = task;
  const path = await begin(stage);
  const held = task.call[0] === "SEND" ? stage.sockets.hold(task) : await holdRequest(page, task);
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
  held.release();
  await done(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // Another step to the next choice is another call.
  if (key?.startsWith("Arrow") !== true && held.calls() !== 1) throw new Error(`${held.calls()} calls`);
}
