import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openPage, openSignedIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();
const place = "account";

test("the account shows the person and links to their devices, and signing out leaves it", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("heading", { name: "Ada" }).waitFor();
  await page.getByText(`User ${server.userId}`).waitFor();
  await expect.poll(() => page.title()).toBe("Account · Telex");
  expect(await page.getByRole("group", { name: "Settings" }).isVisible()).toBe(false);
  await page.locator("main").getByRole("link", { name: "Kitchen" }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/user/teleprinter/device/kitchen");
  await page.goBack();
  await page.locator("main").getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Access token", { exact: true }).waitFor();
});

test.each(looks)("axe finds nothing on $on, and nothing is wider than the screen", async ({ on, ...look }) => {
  const server = await useServer();
  await useDevice(server, "kitchen", "long".repeat(30));
  const page = await openPage(browser(), server.url, { place, ...look });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".owned li").waitFor();
  await page.locator(".tokens li button").first().click();
  expect(await faultsOf(page), `account on ${on}`).toEqual(faultless);
});
