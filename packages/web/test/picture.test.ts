import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openSignedIn, printed, useBrowser, useServer } from "./browser.ts";
import { type TestDevice, useDevice } from "./device.ts";
import type { TestServer } from "./server.ts";

const browser = useBrowser();
const path = "device/kitchen";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A PNG that is black in the left half and white in the right, as base64. */
const draw = (page: Page, size: Size): Promise<string> =>
  page.evaluate(async ({ width, height }) => {
    const canvas = new OffscreenCanvas(width, height);
    const brush = canvas.getContext("2d");
    if (brush === null) throw new TypeError("there is no canvas");
    brush.fillStyle = "white";
    brush.fillRect(0, 0, width, height);
    brush.fillStyle = "black";
    brush.fillRect(0, 0, width / 2, height);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  }, size);

/** Chooses a file with the button. */
async function choose(page: Page, base64: string, name = "half.png", mimeType = "image/png"): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Picture" }).click();
  await (await choosing).setFiles({ name, mimeType, buffer: Buffer.from(base64, "base64") });
}

/** Pastes or drops a picture onto the box. Returns false if the page leaves it to the browser. */
const give = (page: Page, event: "paste" | "drop", base64: string): Promise<boolean> =>
  page.locator(".composer textarea").evaluate(
    (box, given) => {
      const bytes = Uint8Array.from(atob(given.base64), (char) => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "half.png", { type: "image/png" }));
      const init = { bubbles: true, cancelable: true };
      return !box.dispatchEvent(
        given.event === "paste"
          ? new ClipboardEvent("paste", { ...init, clipboardData: data })
          : new DragEvent("drop", { ...init, dataTransfer: data }),
      );
    },
    { event, base64 },
  );

const sizeTold = (page: Page): Promise<string | null> => page.locator("dialog [role=status]").textContent();

async function begin(): Promise<{ server: TestServer; page: Page; device: TestDevice }> {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  return { server, page: await openSignedIn(browser(), server, { path }), device };
}

test("a picture is chosen, previewed as text and printed, without being uploaded before", async () => {
  const { page, device } = await begin();
  const asked: string[] = [];
  // The page may still load other code and data. The picture must not be uploaded.
  page.on("request", (request) => {
    if (request.method() !== "GET") asked.push(new URL(request.url()).pathname);
  });
  await choose(page, await draw(page, { width: 100, height: 50 }));
  await page.getByRole("img", { name: "Text picture, 16 lines of 64 characters" }).waitFor();
  expect(await sizeTold(page)).toBe("16 lines of 64: 1,039 of 2,000 characters");
  await page.getByRole("slider", { name: "Width" }).fill("4");
  await page.getByRole("img", { name: "Text picture, 1 line of 4 characters" }).waitFor();
  await page.getByRole("slider", { name: "Width" }).fill("16");
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Print" }).click();
  const half = `${"@".repeat(8)}${" ".repeat(8)}`;
  await expect.poll(() => printed(page)).toEqual([`> ${[half, half, half, half].join("\n")}`]);
  await expect.poll(() => device.take()).toEqual([[half, half, half, half].join("\n")]);
  expect(asked).toEqual(["/external/api/v1/teleprinter/send"]);
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("the styles are those of the command line and of image-to-text", async () => {
  const { page, device } = await begin();
  await choose(page, await draw(page, { width: 64, height: 64 }));
  await page.getByRole("slider", { name: "Width" }).fill("4");
  const preview = page.locator(".preview");
  const texts: (string | null)[] = [];
  for (const style of ["Shades", "Blocks", "Braille dots", "Letters, on dark"]) {
    await page.getByLabel("Style").selectOption(style);
    texts.push(await preview.textContent());
  }
  expect(texts).toEqual(["@@  \n@@  ", "██  \n██  ", "⣿⣿⠀⠀\n⣿⣿⠀⠀", "  ??\n  ??"]);
  await page.getByRole("button", { name: "Print" }).click();
  await expect.poll(() => device.take()).toEqual(["  ??\n  ??"]);
});

describe.each(["paste", "drop"] as const)("a picture can come by %s", (event) => {
  test("and what was typed stays", async () => {
    const { page } = await begin();
    await page.locator(".composer textarea").fill("half a thou");
    expect(await give(page, event, await draw(page, { width: 100, height: 50 }))).toBe(true);
    await page.getByRole("button", { name: "Print" }).click();
    await expect.poll(async () => (await printed(page)).length).toBe(1);
    expect(await page.locator(".composer textarea").inputValue()).toBe("half a thou");
  });
});

test("a picture never exceeds the maximum length of a text, and the page says why", async () => {
  const { page } = await begin();
  await choose(page, await draw(page, { width: 300, height: 300 }));
  await page.getByText("At most 62 characters. A wider picture does not fit into one text.").waitFor();
  expect(await sizeTold(page)).toBe("31 lines of 62: 1,952 of 2,000 characters");
  expect(await page.getByRole("slider", { name: "Width" }).getAttribute("max")).toBe("62");
  await page.getByRole("button", { name: "Cancel" }).click();
  await choose(page, await draw(page, { width: 1, height: 6000 }));
  await page.getByText("At most 2 characters. A wider picture does not fit into one text.").waitFor();
});

test("a file that is not a picture is rejected with an explanation", async () => {
  const { page } = await begin();
  await choose(page, Buffer.from("no picture").toString("base64"), "a.png");
  await page.getByText("This file cannot be read as a picture.").waitFor();
  expect(await page.getByRole("button", { name: "Print" }).count()).toBe(0);
});
