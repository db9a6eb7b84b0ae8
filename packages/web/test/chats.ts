import type { Browser, Page } from "playwright-core";
import { openPage, type PageOptions, useServer } from "./browser.ts";
import { createPuppetModel } from "./models.ts";
import type { TestServer } from "./server.ts";

/** The page shows the model once it is connected. */
export const isLive = (page: Page): Promise<void> =>
  page.locator(".heading p:not([role])").filter({ hasText: /./ }).waitFor();

/** Signs in with the token of the server, and opens a new conversation. */
export async function openChat(
  browser: Browser,
  server: Pick<TestServer, "url" | "token">,
  options: PageOptions = {},
): Promise<Page> {
  const page = await openPage(browser, server.url, { place: "chat", path: "new", ...options });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await isLive(page);
  return page;
}

/** A server with a model that the test controls. */
export async function usePuppet() {
  const puppet = createPuppetModel();
  const server = await useServer({ models: new Map([["puppet", puppet.model]]) });
  return { puppet, server };
}

/** Asks a question with Enter, once the previous answer is complete. */
export async function ask(page: Page, question: string): Promise<void> {
  const box = page.locator(".ask textarea");
  await box.fill(question);
  await page.locator(".ask button[type=submit]:enabled").waitFor();
  await box.press("Enter");
}

/** The questions and answers, in order. */
export const said = (page: Page): Promise<string[]> =>
  page
    .locator(".messages > li")
    .evaluateAll((messages) =>
      messages.map((message) => (message.querySelector(".words, .reply")?.textContent ?? "").trim()),
    );

/** The window sizes of the tests. */
export const sizes = [
  { on: "a phone", viewport: { width: 390, height: 844 } },
  { on: "a desk", viewport: { width: 1280, height: 800 } },
];
