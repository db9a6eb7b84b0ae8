import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openAt, useBrowser } from "./browser.ts";
import { useAccounts } from "./accounts.ts";
import { useAuthenticator } from "./authenticator.ts";

const browser = useBrowser();

const live = (page: Page) => page.getByText("Live", { exact: true }).waitFor();

const region = (page: Page) => page.getByRole("region", { name: "Passkeys", exact: true });

/** A server with a host name. */
const useNamed = () => useAccounts({}, { host: "localhost" });

/** A person who has joined with a passkey, on their account page. */
async function joined() {
  const server = await useNamed();
  const { url } = await server.auth.services.invitations.make(null, { groups: [] });
  const page = await openAt(browser(), server.url, "/user/sign-out");
  const authenticator = await useAuthenticator(page);
  await page.goto(url);
  await page.getByLabel("Username").fill("carol");
  await page.getByRole("button", { name: "Create a passkey instead" }).click();
  await live(page);
  await page.goto(`${server.url}/user/account/`);
  await region(page).getByRole("listitem").first().waitFor();
  return { server, page, authenticator };
}

const signOut = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/user/sign-out`);
  await page.getByRole("button", { name: "Sign out" }).click();
};

/** Disables the autofill of passkeys at the username, which the virtual authenticator would complete without a click. */
const withoutList = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

test("a person joins with a passkey, without a password, and signs in with it", async () => {
  const { server, page, authenticator } = await joined();
  expect(await authenticator.count()).toBe(1);
  await withoutList(page);
  await authenticator.verify(false);
  await signOut(page, server.url);
  const button = page.getByRole("button", { name: "Use a passkey" });
  await button.waitFor();
  const asked: string[] = [];
  page.on("request", (request) => request.url().endsWith("/signIn/options") && asked.push(request.method()));
  await button.click();
  await page.getByRole("alert").getByText("No passkey was used.").waitFor();
  // Browsers that cannot show a list are not asked for one after a refusal.
  expect(asked).toEqual(["POST"]);
  await authenticator.verify(true);
  await button.click();
  await live(page);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toMatch(/tlx|challenge/);
});

test("if the username is taken, a person who joins with a passkey learns this before the passkey is created", async () => {
  const server = await useAccounts({}, { host: "localhost" });
  await server.member("carol");
  const { url } = await server.auth.services.invitations.make(null, { groups: [] });
  const page = await openAt(browser(), server.url, url.slice(server.url.length));
  await page.getByLabel("Username").fill("Carol");
  await page.getByRole("button", { name: "Create a passkey instead" }).click();
  await page.getByRole("alert").getByText("This username is taken").waitFor();
  expect(new URL(page.url()).pathname).toBe("/user/join");
});

test("a person signs in with the browser's own list of passkeys, without a button", async () => {
  const { server, page } = await joined();
  await region(page).getByText("never used").waitFor();
  await signOut(page, server.url);
  await live(page);
  await page.goto(`${server.url}/user/account/`);
  await region(page).getByRole("listitem").first().waitFor();
  expect(await region(page).getByText("never used").count()).toBe(0);
});

test("passkeys are added, renamed and removed, but not the last way to sign in", async () => {
  const { page } = await joined();
  const rows = region(page).getByRole("listitem");
  const remove = async (): Promise<void> => {
    await rows
      .first()
      .getByRole("button", { name: /^Remove/ })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  };
  await rows.getByRole("button", { name: /^Rename/ }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Phone");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await rows.filter({ hasText: "Phone" }).waitFor();
  await remove();
  await page.getByRole("dialog").getByText("This is the last way to sign in").waitFor();
  await page.keyboard.press("Escape");
  await useAuthenticator(page, "usb");
  await region(page).getByRole("button", { name: "Add a passkey" }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await remove();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.filter({ hasText: "Phone" }).count()).toBe(0);
});

test("sensitive actions need a passkey if the person signed in too long ago", async () => {
  const { server, page } = await joined();
  server.advance(11 * 60_000);
  await region(page)
    .getByRole("button", { name: /^Rename/ })
    .click();
  await page.getByRole("dialog").getByLabel("Name").fill("Phone");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await region(page).getByRole("listitem").filter({ hasText: "Phone" }).waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("a recovery shows the passkeys, and removes those that are not selected", async () => {
  const { server } = await joined();
  const users = await server.telex.operator.users.list(operator, {});
  const carol = users.find(({ nickname }) => nickname === "carol");
  const { url } = await server.auth.services.recovery.make(null, carol?.id ?? 0);
  const other = await openAt(browser(), server.url, url.slice(server.url.length));
  const box = other.getByLabel(/^Passkey: Chrome on/);
  expect(await box.isChecked()).toBe(false);
  await other.getByLabel("Password", { exact: true }).fill("a long password");
  await other.getByRole("button", { name: "Set the password" }).click();
  await live(other);
  await other.goto(`${server.url}/user/account/`);
  await region(other).getByRole("button", { name: "Add a passkey" }).waitFor();
  expect(await region(other).getByRole("listitem").count()).toBe(0);
});

test("at an IP address, no passkey is offered, and the account page says why", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol");
  await page.goto(`${server.url}/user/account/`);
  await region(page).getByText("Passkeys do not work at this address").waitFor();
  expect(await region(page).getByRole("button").count()).toBe(0);
  await signOut(page, server.url);
  await page.getByLabel("Username").waitFor();
  expect(await page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
});

test.each(looks)("axe finds nothing where passkeys are offered, on $on", async ({ on, ...look }) => {
  const server = await useNamed();
  const { url } = await server.auth.services.invitations.make(null, { groups: [] });
  const page = await openAt(browser(), server.url, "/user/sign-in", look);
  const offer = page.locator("[data-passkey] button");
  await offer.waitFor();
  expect(await faultsOf(page), `sign-in on ${on}`).toEqual(faultless);
  await useAuthenticator(page);
  await page.goto(url);
  await page.locator("#username").fill("carol");
  await offer.click();
  await page.waitForURL("**/user/teleprinter/");
  await page.goto(`${server.url}/user/account/`);
  await page.locator(".passkeys li").waitFor();
  expect(await faultsOf(page), `account on ${on}`).toEqual(faultless);
});
