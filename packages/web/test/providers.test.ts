import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useAccounts } from "./accounts.ts";
import { openAt, useBrowser } from "./browser.ts";
import { passProvider, startIdentityProvider } from "./identity-provider.ts";

const browser = useBrowser();

const linked = (page: Page) => page.getByRole("region", { name: "Linked accounts", exact: true });

async function start() {
  const provider = await startIdentityProvider();
  const server = await useAccounts({ registration: "open", providers: [provider.options] });
  provider.admit(server.url);
  return { ...server, leavesFor: [new URL(provider.issuer).host] };
}

test("a person signs in with an account at another provider, which is the only way into the account", async () => {
  const { leavesFor, ...server } = await start();
  const page = await openAt(browser(), server.url, "/user/sign-in", { leavesFor });
  await page.getByRole("button", { name: "Continue with Example ID" }).waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await page.getByRole("button", { name: "Continue with Example ID" }).click();
  await passProvider(page, "alice");
  await page.getByText("Live", { exact: true }).waitFor();
  await page.goto(`${server.url}/user/account/`);
  await page.getByRole("heading", { name: "alice of Example" }).waitFor();
  await linked(page).getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await page.getByText("This is the last way to sign in to the account.").waitFor();
});

test("an account at another provider is linked, confirms its person, and is unlinked", async () => {
  const { leavesFor, ...server } = await start();
  const { page } = await server.signedIn(browser(), "carol", { leavesFor });
  await page.goto(`${server.url}/user/account/`);
  await page.getByRole("button", { name: "Link Example ID" }).click();
  await passProvider(page, "carol-elsewhere");
  await linked(page).getByRole("listitem").getByText("carol-elsewhere").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  server.advance(11 * 60_000);
  await linked(page).getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("button", { name: "Sign in again with Example ID" }).click();
  await page.locator("input[name=login]").fill("carol-elsewhere");
  await page.locator("input[name=password]").fill("x");
  await page.locator("button[type=submit]").click();
  await linked(page).getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("button", { name: "Link Example ID" }).waitFor();
  expect(await linked(page).getByRole("listitem").count()).toBe(0);
});
