import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { ask, isLive, openChat, said, sizes, usePuppet } from "./chats.ts";

const browser = useBrowser();

/** A conversation with two answered questions. */
async function beginTwo(options: Parameters<typeof openChat>[2] = {}) {
  const { puppet, server } = await usePuppet();
  const page = await openChat(browser(), server, options);
  const answer = (text: string): void => {
    puppet.say(text);
    puppet.finish();
  };
  for (const [question, text] of [
    ["Name a tree", "Oak."],
    ["Name a bird", "Wren."],
  ] as const) {
    await ask(page, question);
    answer(text);
    await expect.poll(async () => (await said(page)).slice(-2)).toEqual([question, text]);
    await page.getByRole("button", { name: "Regenerate" }).waitFor();
  }
  return { puppet, server, page, answer };
}

const editor = (page: Page) => page.getByRole("textbox", { name: "Your changed question" });
const composer = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

test.each(sizes)(
  "an earlier question is edited in place on $on, after the page shows what will be replaced",
  async (size) => {
    const { puppet, page, answer } = await beginTwo({ viewport: size.viewport });
    await page.getByRole("button", { name: "Edit: Name a tree" }).click();
    await page.getByText("The new answer replaces the 3 entries after this question.").waitFor();
    expect(await editor(page).inputValue()).toBe("Name a tree");
    expect(await faultsOf(page)).toEqual(faultless);
    await editor(page).fill("Name a flower");
    await page.locator(".editing").getByRole("button", { name: "Ask" }).click();
    puppet.say("Ro");
    await expect.poll(() => said(page)).toEqual(["Name a flower", "Ro"]);
    answer("se.");
    await page.getByRole("button", { name: "Regenerate" }).waitFor();
    expect(await said(page)).toEqual(["Name a flower", "Rose."]);
    expect(puppet.asked()).toEqual(["user: Name a flower"]);
    await page.reload();
    await expect.poll(() => said(page)).toEqual(["Name a flower", "Rose."]);
  },
);

test("arrow up in an empty box edits the last question with the keyboard", async () => {
  const { page, answer } = await beginTwo();
  await composer(page).press("ArrowUp");
  await editor(page).waitFor();
  expect(await focused(page)).toBe("Your changed question");
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("Your question");
  expect(await said(page)).toEqual(["Name a tree", "Oak.", "Name a bird", "Wren."]);
  await composer(page).press("ArrowUp");
  await editor(page).waitFor();
  await page.keyboard.type(" of prey");
  await page.keyboard.press("Enter");
  answer("Kite.");
  await expect.poll(() => said(page)).toEqual(["Name a tree", "Oak.", "Name a bird of prey", "Kite."]);
  expect(await focused(page)).toBe("Your question");
  await page.getByRole("button", { name: "Regenerate" }).waitFor();
  await composer(page).fill("x");
  await composer(page).press("ArrowUp");
  expect(await editor(page).count()).toBe(0);
});

test("a failed edit does not change the conversation, and can be asked again in the same place", async () => {
  const { puppet, page, answer } = await beginTwo();
  await page.getByRole("button", { name: "Edit: Name a bird" }).click();
  await editor(page).fill("Name a fish");
  await editor(page).press("Enter");
  expect(await page.getByRole("button", { name: /^Edit: / }).count()).toBe(0);
  puppet.fail();
  await page.getByText(/Not answered/).waitFor();
  expect(await said(page)).toEqual(["Name a tree", "Oak.", "Name a bird", "Wren.", "Name a fish", ""]);
  await page.getByRole("button", { name: "Ask again" }).click();
  answer("Carp.");
  await expect.poll(() => said(page)).toEqual(["Name a tree", "Oak.", "Name a fish", "Carp."]);
});

test("a failed edit keeps its position and files after a reload and further edits", async () => {
  const { puppet, page, answer } = await beginTwo();
  const file = { name: "birds.txt", mimeType: "text/plain", buffer: Buffer.from("small ones") };
  await page.locator(".ask input[type=file]").setInputFiles(file);
  await ask(page, "Name another");
  answer("Tit.");
  await page.getByRole("button", { name: "birds.txt" }).waitFor();
  await page.getByRole("button", { name: "Edit: Name another" }).click();
  await editor(page).fill("Name a big one");
  await editor(page).press("Enter");
  puppet.fail();
  await page.getByText(/Not answered/).waitFor();
  await page.reload();
  await isLive(page);
  await page.getByText("birds.txt").nth(1).waitFor();
  await page.getByRole("button", { name: "Ask again" }).click();
  puppet.fail();
  const edit = page.locator(".failed").getByRole("button", { name: "Edit", exact: true });
  await edit.click();
  await editor(page).press("Escape");
  await edit.click();
  expect(await editor(page).inputValue()).toBe("Name a big one");
  await editor(page).press("Enter");
  answer("Crane.");
  const turns = ["Name a tree", "Oak.", "Name a bird", "Wren.", "Name a big one", "Crane."];
  await expect.poll(() => said(page)).toEqual(turns);
  await page.getByRole("button", { name: "birds.txt" }).waitFor();
  expect(puppet.asked().at(-1)).toMatch(/^user: Name a big one.*small ones/s);
});

test("if a question was edited in another tab, the page says so and loses nothing", async () => {
  const { server, page, answer } = await beginTwo();
  const other = await openChat(browser(), server);
  await other.goto(page.url());
  await isLive(other);
  await expect.poll(() => said(other)).toHaveLength(4);
  await page.getByRole("button", { name: "Edit: Name a bird" }).click();
  await editor(page).fill("Name a fish");
  await editor(page).press("Enter");
  answer("Carp.");
  await page.getByRole("button", { name: "Regenerate" }).waitFor();
  await other.getByRole("button", { name: "Edit: Name a bird" }).click();
  await editor(other).fill("Name a crab");
  await editor(other).press("Enter");
  await other.getByText(/The conversation has no question \d+: it was replaced/).waitFor();
  await expect.poll(() => said(other)).toEqual(["Name a tree", "Oak.", "Name a fish", "Carp.", "Name a crab", ""]);
});

test("a question is edited in Chinese, too", async () => {
  const { server, page } = await beginTwo();
  const chinese = await openChat(browser(), server, { locale: "zh-CN" });
  await chinese.goto(page.url());
  await chinese.getByRole("button", { name: "编辑：Name a bird" }).click();
  const box = chinese.getByRole("textbox", { name: "修改后的问题" });
  expect(await box.inputValue()).toBe("Name a bird");
  await chinese.getByText("新的回答将取代此问题之后的 1 条内容。").waitFor();
});
