import { operator } from "@telex/core";
import { createClient } from "@telex/http/client";
import { expect, test } from "vitest";
import { useAccounts } from "./accounts.ts";
import { faultless, faultsOf } from "./axe.ts";
import { openSignedIn, printed, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import { createPuppetModel } from "./models.ts";
import { said } from "./rooms.ts";

const browser = useBrowser();

/** A room of Alice, Bob and a model, where Bob has written while Alice was away. */
async function begin() {
  const puppet = createPuppetModel();
  const server = await useAccounts({}, { models: new Map([["puppet", puppet.model]]) });
  const alice = await server.signedIn(browser(), "alice");
  const bob = await server.member("bob");
  const { users, groups, tokens } = server.telex.operator;
  const echo = await users.add(operator, { nickname: "Echo", ai: "puppet" });
  const members = [alice.id, bob.id, echo.id];
  const { groupId } = await groups.add(operator, { groupType: 1, name: "Kitchen", members });
  const { token } = await tokens.issue(operator, { userId: bob.id, scopes: ["chat"] });
  const { messages } = createClient({ url: server.url, token });
  const write = async (message: string, via?: string): Promise<number> => {
    const by = via === undefined ? {} : { via: { kind: "mcp" as const, name: via } };
    const input = { groupId, groupType: 1, message, ...by } as const;
    return (await messages.send(input)).messageId;
  };
  const open = (path = ""): Promise<unknown> => alice.page.goto(`${server.url}/user/rooms/${groupId}${path}`);
  return { server, puppet, groupId, page: alice.page, write, open };
}

test("a model of the room summarises missed messages with links, for this person only", async () => {
  const { puppet, page, write, open, groupId } = await begin();
  const soup = await write("Soup is at six");
  await write("Bring bread");
  await open();
  await page.getByRole("button", { name: "What did I miss?" }).click();
  const dialog = page.getByRole("dialog", { name: "What you missed" });
  await dialog.getByText("A model of this room is reading").waitFor();
  await expect.poll(() => puppet.asked().join("\n")).toContain("Soup is at six");
  puppet.say(`There is soup [#${soup}], and dragons [#77].`);
  puppet.finish();
  await dialog.getByText("There is soup").waitFor();
  await dialog.getByText("Echo has read 2 messages. Only you see this").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  expect(await dialog.locator(".print").textContent()).toBe("There is soup ↑, and dragons.");
  await dialog.getByRole("link", { name: "Show the message" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/user/rooms/${groupId}/${soup}`);
  expect(await said(page)).toEqual(["Soup is at six", "Bring bread"]);
});

test("closing the summary stops the model, and a failure is shown", async () => {
  const { puppet, page, write, open } = await begin();
  await write("Soup is at six");
  await open();
  const ask = page.getByRole("button", { name: "What did I miss?" });
  await ask.click();
  await expect.poll(() => puppet.asked().length).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await expect.poll(() => puppet.stopped()).toBe(1);
  await ask.click();
  puppet.fail();
  await page.getByRole("dialog").getByRole("alert").filter({ hasText: /\w/ }).waitFor();
});

test("a room without a model offers no summary, and shows which application wrote for which person", async () => {
  const { server, page, write, open, groupId } = await begin();
  const { groups, users } = server.telex.operator;
  const models = (await users.list(operator, { limit: 100 })).filter(({ ai }) => ai !== null);
  await groups.amendMembers(operator, { groupId, remove: models.map(({ id }) => id) });
  await write("Soup is at six", "Claude");
  await open();
  await page.getByText("by Claude for bob").waitFor();
  await page.locator(".new-here").waitFor();
  expect(await page.getByRole("button", { name: "What did I miss?" }).count()).toBe(0);
  expect(await faultsOf(page)).toEqual(faultless);
});

test("a text that an application sent to a device shows the application", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const { teleprinter } = createClient({ url: server.url, token: server.token });
  await teleprinter.send({ deviceId: "kitchen", content: "Milk", via: { kind: "mcp", name: "Claude" } });
  await teleprinter.send({ deviceId: "kitchen", content: "Bread" });
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  await expect.poll(() => printed(page)).toEqual(["> Milk", "> Bread"]);
  const lines = page.locator(".line");
  expect(await lines.first().textContent()).toContain("by Claude for ");
  expect(await lines.last().textContent()).not.toContain("Claude");
});
