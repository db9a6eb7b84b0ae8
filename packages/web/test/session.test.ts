import { expect, test } from "vitest";
import { openPage, openSignedIn, printed, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();

test("an invalid token, or one with too few scopes, is rejected with an explanation", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url);
  const submit = async (token: string): Promise<void> => {
    await page.getByLabel("Access token", { exact: true }).fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await submit("nonsense");
  await page.getByText(/This token is not valid/).waitFor();
  const { token } = await server.issueToken(["device:kitchen"]);
  await submit(token);
  await page.getByText(/It needs the scope chat/).waitFor();
  await submit("two words");
  await page.getByText(/This token is not valid/).waitFor();
  expect(await page.getByLabel("Access token", { exact: true }).inputValue()).toBe("two words");
});

test("without staying signed in, a person is signed in only in this tab, and no URL contains the token", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(page.url()).not.toContain(server.token);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(server.token);
  const other = await page.context().newPage();
  await other.goto(`${server.url}/user/teleprinter/`);
  await other.getByLabel("Access token", { exact: true }).waitFor();
});

test("a person who stays signed in is signed in in all tabs, and signs out of all of them", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openPage(browser(), server.url, { path: "device/kitchen" });
  await page.getByLabel(/Stay signed in/).check();
  await signIn(page, server.token);
  await page.locator(".composer textarea").fill("private");
  const other = await page.context().newPage();
  await other.goto(`${server.url}/user/teleprinter/`);
  await other.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByText("Signed in as Ada").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Access token", { exact: true }).waitFor();
  await other.getByLabel("Access token", { exact: true }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain(server.token);
  expect(kept).not.toContain("private");
});

test("a tab with its own sign-in is signed out with the others, even after a reload", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  const other = await page.context().newPage();
  await other.goto(`${server.url}/user/teleprinter/`);
  await signIn(other, server.token);
  await other.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await other.getByLabel("Access token", { exact: true }).waitFor();
  await other.reload();
  await other.getByLabel("Access token", { exact: true }).waitFor();
  expect(await other.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(server.token);
});

test("a person sees the tokens that act for them, and revokes them; revoking the one in use signs out", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  const { token } = await server.issueToken(["profile"]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Account" }).click();
  const rows = page.getByRole("region", { name: "Access tokens" }).getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await page.locator("main").textContent()).not.toContain("tlxp_");
  await rows.filter({ hasText: "profile" }).getByRole("button").click();
  await page.getByRole("button", { name: /Yes, revoke "Token/ }).click();
  await expect.poll(() => rows.count()).toBe(1);
  expect((await server.telex.authenticate(token)).kind).toBe("anonymous");
  await rows.getByRole("button").click();
  await page.getByRole("button", { name: "Yes, revoke it and sign out" }).click();
  await page.getByLabel("Access token", { exact: true }).waitFor();
  expect((await server.telex.authenticate(server.token)).kind).toBe("anonymous");
});

test("language and appearance take effect immediately, and are stored", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Language").selectOption("zh-CN");
  await page.getByLabel("外观").selectOption("dark");
  await page.reload();
  await page.getByRole("heading", { name: "设备", exact: true }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
});

test("text from a device is never interpreted as HTML", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "<b>Kitchen</b>");
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  const nasty =
    '<img src="https://elsewhere.example/x.png" onerror="document.title=1"><script>document.title=2</script>';
  await device.print(nasty);
  await expect.poll(() => printed(page)).toEqual([`< ${nasty}`]);
  expect(await page.locator(".print img, .print script").count()).toBe(0);
  await expect.poll(() => page.title()).toBe("<b>Kitchen</b> · Telex");
});
