import { expect, test } from "vitest";
import { openPage, openSignedIn, printed, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();

test("a token that is not valid, or not enough, is refused in words", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url);
  const submit = async (token: string): Promise<void> => {
    await page.getByLabel("Access token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await submit("nonsense");
  await page.getByText(/This token is not valid/).waitFor();
  const { token } = await server.issueToken(["device:kitchen"]);
  await submit(token);
  await page.getByText(/it needs the scope chat/).waitFor();
  await submit("two words");
  await page.getByText(/This token is not valid/).waitFor();
  expect(await page.getByLabel("Access token").inputValue()).toBe("two words");
});

test("who does not ask to stay is known to this tab alone, and no address ever holds the token", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(page.url()).not.toContain(server.token);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(server.token);
  const other = await page.context().newPage();
  await other.goto(`${server.url}/user/teleprinter/`);
  await other.getByLabel("Access token").waitFor();
});

test("who asks to stay is known to every tab, and signs out of all of them at once", async () => {
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
  await page.getByLabel("Access token").waitFor();
  await other.getByLabel("Access token").waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain(server.token);
  expect(kept).not.toContain("private");
});

test("language and look are chosen in place, and last", async () => {
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

test("text from a device is text, whatever it looks like", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "<b>Kitchen</b>");
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  const nasty =
    '<img src="https://elsewhere.example/x.png" onerror="document.title=1"><script>document.title=2</script>';
  await device.print(nasty);
  await expect.poll(() => printed(page)).toEqual([`< ${nasty}`]);
  expect(await page.locator(".print img, .print script").count()).toBe(0);
  expect(await page.title()).toBe("Teleprinter – Telex");
});
