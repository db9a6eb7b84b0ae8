import { fileURLToPath } from "node:url";
import { operator } from "@telex/core";
import { createAiTools } from "@telex/mcp-client";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { openPage, useBrowser, useServer } from "./browser.ts";
import { ask, openChat } from "./chats.ts";
import { createCallingModel } from "./models.ts";
import { said, say, useRoom } from "./rooms.ts";

const browser = useBrowser();
const program = fileURLToPath(new URL("../../mcp-client/test/programs/tools.ts", import.meta.url));

const views = [
  {
    on: "a desk, in Chinese",
    locale: "zh-CN",
    viewport: { width: 1280, height: 800 },
    words: {
      allow: "允许",
      refuse: "不允许",
      mayCall: "允许模型调用 files.remove 吗",
      done: "已完成",
      refused: "未获许可",
    },
  },
  {
    on: "a phone, in English",
    locale: "en-GB",
    viewport: { width: 390, height: 844 },
    words: {
      allow: "Allow",
      refuse: "Refuse",
      mayCall: "Allow the model to call files.remove?",
      done: "done",
      refused: "not allowed",
    },
  },
] as const;

/** A server whose model asks before it removes a file. */
async function begin() {
  const files = { command: process.execPath, args: [program], rooms: ["able"] };
  const tools = createAiTools({ servers: { files } });
  onTestFinished(() => tools.close());
  const models = tools.wrap(new Map([["able", createCallingModel("files_remove")]]));
  return await useServer({ models, plugins: [tools.plugin] });
}

/** Waits for the permission request, and answers it with the keyboard. */
async function answer(page: Page, { mayCall }: { readonly mayCall: string }, choice: string): Promise<void> {
  const asked = page.getByRole("alert").filter({ hasText: mayCall });
  await asked.waitFor();
  expect(await asked.locator("pre").textContent()).toBe(String.raw`{"path":"notes/\u202ea.txt"}`);
  expect(await faultsOf(page)).toEqual(faultless);
  const button = asked.getByRole("button", { name: choice, exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await asked.waitFor({ state: "detached" });
}

/** Expands a tool call with the keyboard, and returns its texts. */
async function unfold(page: Page, summary: string): Promise<string[]> {
  const call = page.locator(".tool-call").filter({ hasText: summary }).last();
  await call.waitFor();
  expect(await call.locator("pre").first().isVisible()).toBe(false);
  await call.locator("summary").focus();
  await page.keyboard.press("Enter");
  await call.locator("pre").first().waitFor();
  return await call.locator("pre").allTextContents();
}

test("the page for admins shows which tool servers are ready, and why others are not", async () => {
  const files = { command: process.execPath, args: [program] };
  const tools = createAiTools({ servers: { files, gone: { command: "no-such-program" } } });
  onTestFinished(() => tools.close());
  const server = await useServer({ plugins: [tools.plugin] });
  await expect.poll(() => tools.state().map(({ state }) => state)).toEqual(["ready", "failed"]);
  const { token } = await server.issueToken(["chat", "admin"]);
  const page = await openPage(browser(), server.url, { place: "admin", viewport: { width: 390, height: 844 } });
  await page.locator("input[name=token]").fill(token);
  await page.locator("button[type=submit]").click();
  const section = page.locator("section", { has: page.getByRole("heading", { name: "Tool servers" }) }).last();
  await section.getByText(/^gone: ./).waitFor();
  expect(await section.locator("dl div").allTextContents()).toEqual(["files7 tools", "gonefailed"]);
  expect(await faultsOf(page)).toEqual(faultless);
});

const given = String.raw`{"path":"notes/\u202ea.txt"}`;

test.each(views)(
  "a chat asks for permission with two buttons, and collapses the call with its result: $on",
  async ({ words, ...look }) => {
    const page = await openChat(browser(), await begin(), look);
    await ask(page, "Remove my notes");
    await answer(page, words, words.allow);
    await page.getByText("It is over.").first().waitFor();
    expect(await unfold(page, `files.remove · ${words.done}`)).toEqual([given, "removed"]);
    expect(await faultsOf(page)).toEqual(faultless);
    await page.reload();
    expect(await unfold(page, `files.remove · ${words.done}`)).toEqual([given, "removed"]);
    await ask(page, "Remove my notes again");
    await answer(page, words, words.refuse);
    expect(await unfold(page, `files.remove · ${words.refused}`)).toEqual([
      given,
      expect.stringContaining("did not allow"),
    ]);
  },
);

/** Opens the page of a room in any language. */
async function openRoomAs(server: Awaited<ReturnType<typeof begin>>, path: string, token: string, look: object) {
  const page = await openPage(browser(), server.url, { place: "rooms", path, ...look });
  await page.locator("input[name=token]").fill(token);
  await page.locator("button[type=submit]").click();
  await page.locator(".message-box textarea").waitFor();
  return page;
}

test.each(views)("a room asks only the member who mentioned the model: $on", async ({ words, ...look }) => {
  const server = await begin();
  const room = await useRoom(server);
  const { id } = await server.telex.operator.users.add(operator, { nickname: "Echo", ai: "able" });
  await server.telex.operator.groups.amendMembers(operator, { groupId: room.groupId, add: [id] });
  const page = await openRoomAs(server, String(room.groupId), room.ada.token, look);
  const other = await openRoomAs(server, String(room.groupId), room.ben.token, look);
  await say(page, "@Echo remove my notes");
  await other.locator(".tool-call").first().waitFor();
  expect(await other.getByRole("button", { name: words.allow, exact: true }).count()).toBe(0);
  await answer(page, words, words.allow);
  await expect.poll(async () => (await said(page)).at(-1)).toBe("It is over.");
  for (const one of [page, other])
    expect(await unfold(one, `files.remove · ${words.done}`)).toEqual([given, "removed"]);
  expect(await faultsOf(page)).toEqual(faultless);
  await page.reload();
  expect(await unfold(page, `files.remove · ${words.done}`)).toEqual([given, "removed"]);
});
