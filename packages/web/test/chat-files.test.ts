import type { ChatModel } from "@telex/core";
import { echoModel } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser, useServer } from "./browser.ts";
import { isLive, openChat, said, sizes } from "./chats.ts";

const browser = useBrowser();

const seeing: ChatModel = { ...echoModel, takesImages: true };

const note = { name: "茶.txt", mimeType: "text/plain", buffer: Buffer.from("green tea") };
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
const picture = { name: "tea.gif", mimeType: "image/gif", buffer: dot };

const add = (page: Page, files: readonly (typeof note)[]): Promise<void> =>
  page.locator(".ask input[type=file]").setInputFiles([...files]);

async function ask(page: Page, question: string): Promise<void> {
  await page.locator(".ask textarea").fill(question);
  await page.locator(".ask button[type=submit]:enabled").click();
}

test.each(sizes)(
  "a picture and a text are sent with a question, and shown after a reload, on $on",
  async ({ viewport }) => {
    const server = await useServer({ models: new Map([["seeing", seeing]]) });
    const page = await openChat(browser(), server, { viewport });
    await add(page, [note, picture]);
    await page.getByRole("list", { name: "Files of the question" }).getByText("茶.txt").waitFor();
    await ask(page, "What is this?");
    await expect.poll(async () => (await said(page))[1]).toMatch(/^What is this\?.*The file "茶\.txt":.*green tea/s);
    await page.getByRole("img", { name: "tea.gif" }).waitFor();
    expect(await page.locator(".ask .uploads").count()).toBe(0);
    await page.reload();
    await isLive(page);
    await page.getByRole("img", { name: "tea.gif" }).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "茶.txt" }).click();
    expect((await downloading).suggestedFilename()).toBe("茶.txt");
    expect(await faultsOf(page)).toEqual(faultless);
    await page.getByRole("button", { name: "Edit: What is this?" }).click();
    await page.locator(".editing textarea").fill("And this?");
    await page.locator(".editing").getByRole("button", { name: "Ask" }).click();
    await expect.poll(async () => (await said(page))[0]).toBe("And this?");
    await page.getByRole("img", { name: "tea.gif" }).waitFor();
  },
);

test("the page says before asking that a model does not accept pictures, or that there are too many or too long files", async () => {
  const server = await useServer();
  const page = await openChat(browser(), server);
  await page.locator(".ask textarea").fill("What is this?");
  await add(page, [picture]);
  await page.getByText("echo does not accept pictures. Remove them, or choose another model.").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  expect(await page.locator(".ask button[type=submit]").isDisabled()).toBe(true);
  await page.getByRole("button", { name: /tea\.gif/ }).click();
  await add(page, [{ ...note, buffer: Buffer.alloc(262_145, "x") }]);
  await page.getByText("茶.txt is too long: a text has at most 256 KiB.").waitFor();
  await page.getByRole("button", { name: /茶\.txt/ }).click();
  await add(
    page,
    Array.from({ length: 9 }, (_, index) => ({ ...note, buffer: Buffer.from(`tea ${index}`) })),
  );
  await page.getByText("A question has at most 8 files.").waitFor();
});

test("a file is pasted and dropped, and the server rejects a file that is not text", async () => {
  const server = await useServer();
  const page = await openChat(browser(), server);
  await page.locator(".ask").evaluate((form) => {
    for (const kind of ["paste", "drop"]) {
      const given = new DataTransfer();
      given.items.add(new File([kind === "drop" ? new Uint8Array([0xff, 0xfe]) : "tea"], `${kind}.txt`));
      const options = { bubbles: true, cancelable: true };
      form.dispatchEvent(
        kind === "drop"
          ? new DragEvent(kind, { ...options, dataTransfer: given })
          : new ClipboardEvent(kind, { ...options, clipboardData: given }),
      );
    }
  });
  const list = page.getByRole("list", { name: "Files of the question" });
  await list.getByText("paste.txt").waitFor();
  await list.getByText("drop.txt").waitFor();
  await ask(page, "Read");
  await page.getByText('The file "drop.txt" is neither a picture nor a text in UTF-8.').waitFor();
  expect(await said(page)).toEqual(["Read", ""]);
});

test("files are added to a question in Chinese, too", async () => {
  const server = await useServer();
  const page = await openChat(browser(), server, { locale: "zh-CN" });
  await page.getByRole("button", { name: "图片和文本文件" }).waitFor();
  await add(page, [picture]);
  await page.getByText("echo 不接受图片。请移除图片，或选择其他模型。").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
});
