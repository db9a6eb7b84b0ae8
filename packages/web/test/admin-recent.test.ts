import { readFile } from "node:fs/promises";
import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useAccounts } from "./accounts.ts";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openAt, useBrowser } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();

/** An admin on the page for admins. The server has a device and a suspended user. */
async function begin(options: object = {}) {
  const server = await useAccounts();
  await useDevice(server, "kitchen", "Kitchen");
  const { id: otherId } = await server.telex.operator.users.add(operator, { nickname: "Otto" });
  await server.telex.operator.users.amend(operator, { id: otherId, state: "suspended" });
  const { id } = await server.member("boss", "admin");
  const { token } = await server.telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat", "admin"] });
  const page = await openAt(browser(), server.url, "/user/token", options);
  await page.locator("input[name=token]").fill(token);
  await page.locator("button[type=submit]").click();
  await page.locator(".connection.live").waitFor({ state: "attached" });
  const go = (path: string) => page.goto(`${server.url}/user/admin/${path}`);
  await go("");
  return { server, page, go, otherId };
}

async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const [saved] = await Promise.all([page.waitForEvent("download"), press()]);
  return await readFile(await saved.path(), "utf8");
}

test("the overview charts the chosen number of hours, with descriptions", async () => {
  const { page } = await begin();
  const charts = page.getByRole("img");
  await charts.nth(4).waitFor();
  expect(await charts.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual([
    expect.stringMatching(/^Calls, 3 hours: [1-9]\d* in total, peak \d+$/),
    expect.stringMatching(/^Messages, 3 hours: 0 in rooms and devices/),
    expect.stringMatching(/^Devices online, 3 hours: 1 now/),
    expect.stringMatching(/^Errors, 3 hours: 0 server failures/),
    expect.stringMatching(/^Slowest 1 %, 3 hours: [\d.,]+ ms of calls, now/),
  ]);
  await page.getByRole("button", { name: "24 hours" }).click();
  await page.getByRole("img", { name: /^Calls, 24 hours/ }).waitFor();
});

test("online devices are listed, and a new one appears without a reload", async () => {
  const { server, page, go } = await begin();
  await go("devices/");
  await page.getByText("1 device is online").waitFor();
  expect(await page.locator(".items .name").allTextContents()).toEqual(["Kitchen"]);
  await useDevice(server, "lab", "Lab");
  // The page loads every few seconds, and when it becomes visible again.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByText("2 devices are online").waitFor();
  expect(await page.locator(".items .name").allTextContents()).toEqual(["Lab", "Kitchen"]);
});

test("the audit log shows who did what, is filtered by subject, kind and person, and exported as CSV and JSON", async () => {
  const { page, go, otherId } = await begin();
  await go("audit/");
  await page.locator(".event").first().waitFor();
  await page.getByLabel("Subject").selectOption("user");
  await expect.poll(() => page.locator(".event b").allTextContents()).toContain("user.changed");
  expect(await page.locator(".event b").allTextContents()).not.toContain("token.issued");
  await page.getByLabel(/^User no\./).fill(String(otherId));
  await expect.poll(() => page.locator(".event b").allTextContents()).toEqual(["user.changed", "user.added"]);
  await page.getByRole("link", { name: "Otto" }).first().waitFor();
  const csv = await download(page, () => page.getByRole("button", { name: "Export as CSV" }).click());
  expect(csv.split("\r\n").map((line) => line.split(",").slice(1).join())).toEqual([
    "level,event,by,userId",
    `info,user.changed,operator,${otherId}`,
    `info,user.added,operator,${otherId}`,
    "",
  ]);
  const json = await download(page, () => page.getByRole("button", { name: "Export as JSON" }).click());
  expect(JSON.parse(json)).toMatchObject([{ event: "user.changed" }, { event: "user.added" }]);
  await page.getByLabel("Kind").selectOption("warn");
  await page.getByText("Nothing here yet.").waitFor();
});

test("suspended users are marked, and can be listed separately", async () => {
  const { page, go } = await begin();
  await go("users/");
  await page.locator(".row .name", { hasText: "Otto" }).waitFor();
  await page.getByLabel("Suspended only").check();
  await expect.poll(() => page.locator(".row .name").allTextContents()).toEqual(["Otto"]);
  expect(await page.locator(".row .hint").textContent()).toContain("suspended");
});

test("people are imported from a table, with a preview of errors before and their links afterwards", async () => {
  const { server, page, go } = await begin();
  await go("users/");
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.getByLabel("Or paste the table here").fill("username,nickname\ndora,Dora\nboss,\na b,\n,Nobody\nemil,");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await dialog.getByText("2 lines cannot be imported.").waitFor();
  expect(await dialog.locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/4\s+a b\s+not a username/),
    expect.stringMatching(/5\s+no username/),
    expect.stringMatching(/2\s+dora\s+new account/),
    expect.stringMatching(/3\s+boss\s+already exists/),
    expect.stringMatching(/6\s+emil\s+new account/),
  ]);
  expect((await server.telex.operator.users.list(operator, {})).map(({ nickname }) => nickname)).not.toContain("Dora");
  await dialog.getByRole("button", { name: "Import the other 2" }).click();
  await dialog.getByText("2 accounts are ready.").waitFor();
  const csv = await download(page, () => dialog.getByRole("button", { name: "Save as CSV" }).click());
  expect(csv.split("\r\n").slice(0, 2)).toEqual([
    "username,nickname,link",
    expect.stringMatching(/^dora,Dora,http.*\/user\/recover#/),
  ]);
  await page.keyboard.press("Escape");
  await page.locator(".row .name", { hasText: "Dora" }).waitFor();
});

test.each(looks)(
  "axe finds nothing in the last hours, devices, audit log and import on $on",
  async ({ on, ...look }) => {
    const { page, go } = await begin(look);
    await page.getByRole("img").nth(4).waitFor();
    expect(await faultsOf(page), `overview on ${on}`).toEqual(faultless);
    for (const [path, seen] of [
      ["devices/", ".items li"],
      ["audit/", ".event"],
      ["users/", ".row"],
    ] as const) {
      await go(path);
      await page.locator(seen).first().waitFor();
      expect(await faultsOf(page), `${path} on ${on}`).toEqual(faultless);
    }
    await page.getByRole("button", { name: /^(Import|批量导入)$/ }).click();
    await page.locator(".import textarea").fill("dora\na b");
    await page.locator(".import .primary").click();
    await page.locator(".lines").waitFor();
    expect(await faultsOf(page), `import on ${on}`).toEqual(faultless);
  },
);
