import { expect, test } from "vitest";
import { useAccounts } from "./accounts.ts";
import { openAt, useBrowser, useServer } from "./browser.ts";

const browser = useBrowser();

const devices = "/reference#openapi/tag/teleprinter/GET/external/api/v1/teleprinter/devices";

// `openAt` fails the test for a request to another host, and for a violation of the Content-Security-Policy.
test("the reference shows and finds calls and sockets, without a request to another host", async () => {
  const server = await useServer();
  const page = await openAt(browser(), server.url, "/reference");
  await page.getByRole("heading", { name: "Telex", exact: true }).waitFor();
  await page.getByRole("button", { name: /^Open Search/ }).click();
  await page.getByRole("combobox").fill("heartbeat");
  await page
    .getByRole("option", { name: /heartbeat/ })
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "HTTP" }).click();
  await page.getByText("Sockets", { exact: true }).click();
  const heading = page.getByRole("heading", { name: "Chat rooms: sends messages, and receives those of others." });
  await expect.poll(() => heading.isVisible(), { timeout: 15_000 }).toBe(true);
});

test("a call can be tried with the session of the browser, and has samples in four languages", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "grace");
  await page.goto(`${server.url}${devices}`);
  const operation = page.getByRole("region", { name: /Lists the caller's devices/ });
  await operation.getByRole("button", { name: "Shell Curl" }).click();
  for (const client of ["Curl", "Fetch", "Requests", "NewRequest"])
    await page.getByRole("option", { name: client, exact: true }).first().waitFor();
  await page.keyboard.press("Escape");
  await operation.getByRole("button", { name: /^Test Request/ }).click();
  const answer = page.waitForResponse((response) => response.url().includes("/teleprinter/devices"));
  await page.getByRole("button", { name: /^Send/ }).first().click();
  expect(await (await answer).json()).toMatchObject({ code: 200, data: [] });
});

test("a browser without scripts gets a link to the plain list of calls", async () => {
  const server = await useServer();
  const page = await openAt(browser(), server.url, "/reference", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "The plain list of all calls" }).click();
  await page.getByRole("heading", { name: "Telex", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/reference/plain");
});
