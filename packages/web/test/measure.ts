import { DatabaseSync } from "node:sqlite";
import { operator } from "@telex/core";
import type { Browser, Page } from "playwright-core";
import { launch } from "./launch.ts";
import { startServer, type TestServer } from "./server.ts";

// Measures the page of a room with few messages and with a million: `npm run measure --prefix packages/web`.

const sizes = [100, 1_000_000] as const;
const runs = 5;
const firstId = 1_700_000_000_000_000;
/** How far the history is scrolled, in screens. */
const screens = 40;

/** Inserts messages into an empty room directly in the database. */
function fill(file: string, groupId: number, count: number): void {
  const database = new DatabaseSync(file);
  database
    .prepare(
      `WITH RECURSIVE n(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ?)
      INSERT INTO messages SELECT ?, seq, ? + seq, '1', 0, 0, '[{"text":{"text":"message ' || seq || '"}}]', '[]',
        'Ada', 'Ada', 1700000000000 + seq, 1700000000000 + seq, NULL FROM n`,
    )
    .run(count, groupId, firstId);
  database.close();
}

async function useRoom(server: TestServer, count: number): Promise<number> {
  const members = [server.userId];
  const { groupId } = await server.telex.operator.groups.add(operator, { groupType: 1, name: "Room", members });
  await server.stop();
  fill(server.file, groupId, count);
  await server.start();
  return groupId;
}

/** The heap in MB after a garbage collection, and the number of elements in the document. */
async function weigh(page: Page): Promise<{ readonly heap: number; readonly elements: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  return { heap: usedSize / 1e6, elements };
}

/** Milliseconds until the first paint, and until the newest messages are shown. */
async function open(page: Page): Promise<{ readonly paint: number; readonly messages: number }> {
  const begun = Date.now();
  await page.reload({ waitUntil: "commit" });
  await page.locator(".message-list > li").nth(40).waitFor();
  const messages = Date.now() - begun;
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  return { paint, messages };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function readBack(page: Page): Promise<void> {
  for (let screen = 0; screen < screens; screen += 1) {
    // The beginning of the room is reached.
    if ((await page.locator(".top", { hasText: "begins" }).count()) > 0) return;
    const before = await page.locator(".message-list > li").first().getAttribute("data-id");
    await page.locator(".room .view").evaluate((box) => box.scrollBy(0, -4000));
    await page.waitForFunction(
      (id) => document.querySelector(".message-list > li")?.getAttribute("data-id") !== id,
      before,
    );
  }
}

async function measure(browser: Browser, server: TestServer, count: number): Promise<void> {
  const groupId = await useRoom(server, count);
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/user/rooms/${groupId}`);
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".message-list > li").first().waitFor();
  const opened = [];
  for (let run = 0; run < runs; run += 1) opened.push(await open(page));
  const fresh = await weigh(page);
  await readBack(page);
  const read = await weigh(page);
  process.stdout.write(
    [
      `${count.toLocaleString("en")} messages`,
      `first paint ${median(opened.map(({ paint }) => paint)).toFixed(0)} ms`,
      `messages ${median(opened.map(({ messages }) => messages)).toFixed(0)} ms`,
      `heap ${fresh.heap.toFixed(1)} MB, after ${screens} screens of history ${read.heap.toFixed(1)} MB`,
      `elements ${fresh.elements}, ${read.elements}`,
    ].join("; ") + "\n",
  );
  await context.close();
}

const browser = await launch();
const server = await startServer();
try {
  for (const count of sizes) await measure(browser, server, count);
} finally {
  await server.close();
  await browser.close();
}
