import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { places } from "../src/app/route.ts";
import { openPage, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();

test("the pages open without a network once they were there, and keep no answer of the server", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openPage(browser(), server.url, { serviceWorkers: "allow", path: "device/kitchen" });
  await signIn(page, server.token);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  const kept = await page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) urls.push(new URL(request.url).pathname);
    }
    return urls;
  });
  expect(kept).toContain("/user/index.html");
  expect(kept.filter((path) => !path.startsWith("/user/"))).toEqual([]);
  await server.stop();
  await page.reload();
  await page.getByText("Offline", { exact: true }).waitFor();
  await page.locator(".composer textarea").waitFor();
  await server.start();
});

test.each(["anything", "teleprinter/anything", "chat/anything"])(
  "there is no page at /user/%s, and a page says so, with a way back",
  async (path) => {
    const server = await useServer();
    const page = await openPage(browser(), server.url);
    const answer = await page.goto(`${server.url}/user/${path}`);
    expect(answer?.status()).toBe(404);
    expect(answer?.headers()["content-type"]).toBe("text/html; charset=utf-8");
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await page.getByText(`There is no page at /user/${path}.`).waitFor();
    await expect.poll(() => page.title()).toBe("No such page · Telex");
    await page.getByRole("link", { name: "Go to the teleprinter" }).click();
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/user/teleprinter/");
  },
);

/** A file that a page has loaded. */
interface PackedFile {
  readonly path: string;
  readonly bytes: number;
}

const packedFiles = (page: Page): Promise<PackedFile[]> =>
  page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map((entry) => ({ path: new URL(entry.name).pathname, bytes: entry.encodedBodySize }))
      .filter(({ path }) => path.startsWith("/user/")),
  );

const weightOf = (files: readonly PackedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

describe("the files", () => {
  test("carry a policy that allows nothing but what they use", async () => {
    const server = await useServer();
    const { headers } = await fetch(`${server.url}/user/teleprinter/device/kitchen`);
    const policy = headers.get("content-security-policy") ?? "";
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
      expect(policy.split("; ")).toContain(directive);
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-cache");
  });

  test.each([
    ...places.map(({ page }) => ({ page, most: page === "rooms" ? 76_000 : 60_000 })),
    { page: "account", most: 60_000 } as const,
    { page: "admin", most: 60_000 } as const,
  ])(
    "of the page $page weigh less than $most bytes packed until it can be used without Markdown, and those that count unread messages 8 kB more",
    async ({ page: place, most }) => {
      const server = await useServer();
      const page = await openPage(browser(), server.url, { place });
      await signIn(page, server.token);
      await page.locator("main h1").waitFor({ state: "attached" });
      // The rooms connect a second after everything else, on the pages of other things.
      const isLater = ({ path }: PackedFile): boolean => place !== "rooms" && path.startsWith("/user/assets/start-");
      const isMarkdown = ({ path }: PackedFile): boolean => path.startsWith("/user/assets/markdown-");
      const isComplete = async (): Promise<boolean> => place === "rooms" || (await packedFiles(page)).some(isLater);
      await expect.poll(isComplete).toBe(true);
      const files = await packedFiles(page);
      expect(files.length).toBeGreaterThan(2);
      expect(weightOf(files.filter((file) => !isLater(file) && !isMarkdown(file)))).toBeLessThan(most);
      expect(weightOf(files.filter(isLater))).toBeLessThan(8_000);
    },
  );

  test("never change where their name says what is in them, and are asked for again otherwise", async () => {
    const server = await useServer();
    const page = await fetch(`${server.url}/user/`);
    const [script = ""] = /\/user\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const { headers } = await fetch(server.url + script);
    expect(headers.get("cache-control")).toContain("immutable");
    const again = await fetch(`${server.url}/user/`, { headers: { "if-none-match": page.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("do not exist where no file and no page is", async () => {
    const server = await useServer();
    for (const path of ["/user/assets/none", "/user/none.js", "/user/..%2fpackage.json"]) {
      expect((await fetch(server.url + path)).status).toBe(404);
    }
    expect((await fetch(`${server.url}/user/`, { method: "POST" })).status).toBe(405);
  });
});
