import type { Hands } from "./hands.ts";
import type { Task } from "./task.ts";

/** A GIF with one pixel. */
export const dot = {
  name: "dot.gif",
  mimeType: "image/gif",
  buffer: Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"),
};

/** Waits until the page shows this notice. */
export const says =
  (words: string | RegExp): Task["done"] =>
  (page) =>
    page.locator(".notices").getByText(words).waitFor();

/** Waits until a dialog with this name shows a secret. */
export const shows =
  (name: string): Task["done"] =>
  (page) =>
    page.getByRole("dialog", { name }).locator("code").waitFor();

/** Clicks a button that opens a dialog, and moves the focus to a button of the dialog. */
export async function ask({ page, pressButton, to }: Hands, asks: string | RegExp, confirms: string): Promise<void> {
  await pressButton(asks);
  await to(page.getByRole("dialog").getByRole("button", { name: confirms, exact: true }));
}
