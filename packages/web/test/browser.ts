import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { PageName } from "../src/app/route.ts";
import { launch } from "./launch.ts";
import { slowDown } from "./slow.ts";
import { startServer, type TestServer, type TestServerOptions } from "./server.ts";

/** Starts one browser for the tests of a file. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => {
    if (browser === undefined) throw new TypeError("the browser has not been launched yet");
    return browser;
  };
}

/** Starts a server. It is closed after the test. */
export async function useServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Fails the test for an error in the page, a violation of its Content-Security-Policy, or a request to another host. */
function watch(page: Page, url: string, leavesFor: readonly string[]): void {
  const faults: string[] = [];
  const isLeft = (address: string): boolean => leavesFor.includes(new URL(address).host);
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    const { host } = new URL(request.url());
    if (isLeft(request.url()) || isLeft(request.frame().url())) return;
    if (host !== new URL(url).host) faults.push(`asked ${host}`);
  });
  onTestFinished(() => expect(faults).toEqual([]));
}

export interface PageOptions extends BrowserContextOptions {
  /** The page below `/user/`. Default: `teleprinter`. */
  readonly place?: PageName;
  /** The path below that page. */
  readonly path?: string;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Other hosts that the person visits. Their pages are not watched. Default: none. */
  readonly leavesFor?: readonly string[];
}

/** Opens a URL in a new browser profile, in English. It is closed after the test. */
export async function openAt(
  browser: Browser,
  url: string,
  path: string,
  { leavesFor = [], ...options }: OpenOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block", ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(15_000);
  await slowDown(context);
  const page = await context.newPage();
  watch(page, url, leavesFor);
  await page.goto(`${url}${path}`);
  return page;
}

/** Opens a page of the application. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<Page> {
  const { place = "teleprinter", path = "", ...contextOptions } = options;
  return await openAt(browser, url, `/user/${place}/${path}`, contextOptions);
}

/** Signs in with a token. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Access token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Live", { exact: true }).waitFor();
}

/** Opens a page on which the server's user is signed in. */
export async function openSignedIn(browser: Browser, server: TestServer, options: PageOptions = {}): Promise<Page> {
  const page = await openPage(browser, server.url, options);
  await signIn(page, server.token);
  return page;
}

/** Types a text into the box, and sends it with Enter. */
export async function type(page: Page, text: string): Promise<void> {
  const box = page.locator(".composer textarea");
  await box.fill(text);
  await box.press("Enter");
}

/** The texts on the paper in order: `<` from the device, `>` to it. */
export const printed = (page: Page): Promise<string[]> =>
  page
    .locator(".line")
    .evaluateAll((lines) =>
      lines.map(
        (line) => `${line.classList.contains("from") ? "<" : ">"} ${line.querySelector(".print")?.textContent ?? ""}`,
      ),
    );
