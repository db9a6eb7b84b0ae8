import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { places } from "../src/app/route.ts";
import { openPage, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import { useRoom } from "./rooms.ts";

const browser = useBrowser();

test("the pages open without a network after the first visit, and cache no response of the server", async () => {
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
  "there is no page at /user/%s, and a page says so with a link back",
  async (path) => {
    const server = await useServer();
    const page = await openPage(browser(), server.url);
    const answer = await page.goto(`${server.url}/user/${path}`);
    expect(answer?.status()).toBe(404);
    expect(answer?.headers()["content-type"]).toBe("text/html; charset=utf-8");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByText(`There is no page at /user/${path}.`).waitFor();
    await expect.poll(() => page.title()).toBe("Page not found · Telex");
    await page.getByRole("link", { name: "Go to the teleprinter" }).click();
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/user/teleprinter/");
  },
);

/** A loaded file of a page. */
interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the page was opened. */
  readonly askedAt: number;
}

const packedFiles = (page: Page): Promise<PackedFile[]> =>
  page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map((entry) => ({
        path: new URL(entry.name).pathname,
        bytes: entry.encodedBodySize,
        askedAt: entry.startTime,
      }))
      .filter(({ path }) => path.startsWith("/user/")),
  );

const weightOf = (files: readonly PackedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** The first file that a page loads after it is usable: a room to open, or the unread counts. */
const laterOn = (page: string): string => `/user/assets/${page === "rooms" ? "room-page" : "start"}-`;

describe("the files", () => {
  test("have a policy that allows only the resources that they use", async () => {
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
    ...places.map(({ page }) => ({ page, later: page === "rooms" ? 18_000 : 8000 })),
    { page: "account", later: 8000 } as const,
    { page: "admin", later: 8000 } as const,
  ])(
    "of the page $page weigh less than 60 kB packed until it can be used without Markdown, and those behind them less than $later bytes",
    async ({ page: place, later }) => {
      const server = await useServer();
      await useRoom(server);
      const page = await openPage(browser(), server.url, { place });
      await signIn(page, server.token);
      await page.locator("main h1").waitFor({ state: "attached" });
      const askedLater = async () => (await packedFiles(page)).find(({ path }) => path.startsWith(laterOn(place)));
      await expect.poll(askedLater).toBeDefined();
      await page.waitForLoadState("networkidle");
      const from = (await askedLater())?.askedAt ?? 0;
      const files = (await packedFiles(page)).filter(({ path }) => !path.startsWith("/user/assets/markdown-"));
      const first = files.filter(({ askedAt }) => askedAt < from);
      expect(first.length).toBeGreaterThan(2);
      expect(weightOf(first)).toBeLessThan(60_000);
      expect(weightOf(files) - weightOf(first)).toBeLessThan(later);
    },
  );

  test("are immutable if their names contain a hash, and are revalidated otherwise", async () => {
    const server = await useServer();
    const page = await fetch(`${server.url}/user/`);
    const [script = ""] = /\/user\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const { headers } = await fetch(server.url + script);
    expect(headers.get("cache-control")).toContain("immutable");
    const again = await fetch(`${server.url}/user/`, { headers: { "if-none-match": page.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("return 404 if there is no file or page", async () => {
    const server = await useServer();
    for (const path of ["/user/assets/none", "/user/none.js", "/user/..%2fpackage.json"]) {
      expect((await fetch(server.url + path)).status).toBe(404);
    }
    expect((await fetch(`${server.url}/user/`, { method: "POST" })).status).toBe(405);
  });
});
