import { readFile } from "node:fs/promises";
import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useAccounts } from "./accounts.ts";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openAt, useBrowser } from "./browser.ts";

const browser = useBrowser();

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

type Accounts = Awaited<ReturnType<typeof useAccounts>>;

/** Authorizes a program with a device code. */
async function connect(server: Accounts, page: Page, name: string): Promise<void> {
  const { client } = await server.auth.services.clients.add({
    name,
    redirectUris: [],
    grants: ["device"],
    scopes: ["openid", "chat"],
    hasSecret: false,
  });
  const body = new URLSearchParams({ client_id: client.clientId, scope: "openid chat" });
  const asked: unknown = await (await fetch(`${server.url}/oauth2/device`, { method: "POST", body })).json();
  const code = String(Reflect.get(Object(asked), "user_code"));
  await page.goto(`${server.url}/user/device`);
  await page.locator("input[name=code]").fill(code);
  await page.locator("button.primary").click();
  await page.locator("button[value=allow]").click();
  await page.getByText(name).first().waitFor();
}

/** Creates a room whose owner is the person of the page. */
const makeRoom = (page: Page, name: string): Promise<number> =>
  page.evaluate(async (body) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const made: unknown = await (await fetch("/external/api/v1/im/groups", init)).json();
    return Number(Reflect.get(Object(Reflect.get(Object(made), "data")), "groupId"));
  }, JSON.stringify({ name }));

test("an application is listed with its scopes, and its access is revoked after a confirmation", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol");
  await page.goto(`${server.url}/user/account/`);
  const part = region(page, "Connected applications");
  await part.getByText("No application has access to your account.").waitFor();
  await connect(server, page, "Tea timer");
  await page.goto(`${server.url}/user/account/`);
  await part.getByRole("listitem").filter({ hasText: "Tea timer" }).waitFor();
  await part.getByText("know who you are · rooms, conversations and files").waitFor();
  await part.getByRole("button", { name: "End access" }).click();
  await page
    .getByRole("dialog", { name: "End the access of Tea timer?" })
    .getByRole("button", { name: "End access" })
    .click();
  await part.getByText("No application has access to your account.").waitFor();
  expect(await part.getByRole("listitem").count()).toBe(0);
});

test("a member invites into a room that they run, and revokes the invitation", async () => {
  const server = await useAccounts({ invitations: "members" });
  const { id, page } = await server.signedIn(browser(), "carol");
  await server.telex.operator.groups.add(operator, { groupType: 1, name: "Elsewhere", members: [id] });
  await page.goto(`${server.url}/user/account/`);
  const part = region(page, "Invitations");
  await part.getByText(/^You do not run a room yet/).waitFor();
  await makeRoom(page, "Teahouse");
  await page.reload();
  const invite = async (): Promise<string> => {
    await part.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Room").locator("option").allTextContents()).toEqual(["Teahouse"]);
    await dialog.getByRole("button", { name: "Invite" }).click();
    const link = await page.getByRole("dialog", { name: "The invitation" }).locator("code").textContent();
    await page.keyboard.press("Escape");
    return link ?? "";
  };
  const [used, revoked] = [await invite(), await invite()];
  const stranger = await openAt(browser(), server.url, used.slice(server.url.length));
  await stranger.getByText("carol invites you").waitFor();
  await stranger.getByLabel("Username").fill("dora");
  await stranger.getByLabel("Password", { exact: true }).fill("dora's password");
  await stranger.getByRole("button", { name: "Join" }).click();
  await stranger.getByText("Live", { exact: true }).waitFor();
  await page.reload();
  const rows = part.getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect.poll(() => rows.count()).toBe(0);
  await stranger.goto(revoked);
  await stranger.getByText("This link does not work any more.").waitFor();
});

test("a person downloads their data, after confirming if they signed in too long ago", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol");
  await page.goto(`${server.url}/user/account/`);
  await makeRoom(page, "Teahouse");
  server.advance(11 * 60_000);
  await region(page, "Your data").getByRole("button", { name: "Download your data" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Password").fill("carol's password");
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("telex-carol.json");
  const data: unknown = JSON.parse(await readFile(await saved.path(), "utf8"));
  expect(data).toMatchObject({ account: { username: "carol" }, rooms: [{ groupName: "Teahouse", role: "owner" }] });
});

test("invitations are hidden if members may not create them, and from admins, who have their own page", async () => {
  const closed = await useAccounts();
  const { page } = await closed.signedIn(browser(), "carol");
  await page.goto(`${closed.url}/user/account/`);
  await region(page, "Connected applications").waitFor();
  expect(await region(page, "Invitations").count()).toBe(0);
  const open = await useAccounts({ invitations: "members" });
  const admin = await open.signedIn(browser(), "boss", { role: "admin" });
  await admin.page.goto(`${open.url}/user/account/`);
  await region(admin.page, "Connected applications").waitFor();
  expect(await region(admin.page, "Invitations").count()).toBe(0);
});

test.each(looks)("axe finds nothing in applications and invitations on $on", async ({ on, ...look }) => {
  const server = await useAccounts({ invitations: "members" });
  const { id, page } = await server.signedIn(browser(), "carol", { ...look, locale: "en-GB" });
  const groupId = await makeRoom(page, "Teahouse");
  await connect(server, page, "long".repeat(12));
  await server.auth.services.invitations.make(id, { groups: [groupId] });
  await page.goto(`${server.url}/user/account/`);
  await page.locator("section").filter({ hasText: "long" }).locator("li").first().waitFor();
  await expect
    .poll(() =>
      page
        .locator("main .tokens li")
        .filter({ hasText: /used 0 of 1|已使用 0/ })
        .count(),
    )
    .toBe(1);
  expect(await faultsOf(page), `account on ${on}`).toEqual(faultless);
});
