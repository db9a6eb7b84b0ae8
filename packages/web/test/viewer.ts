import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Furnished, now, type Somebody } from "./furnished.ts";
import type { TestServer } from "./server.ts";
import type { Shot, Who } from "./states.ts";

/** A person, and their screen. */
export interface Viewer {
  readonly who: Who;
  readonly screen: Pick<BrowserContextOptions, "viewport" | "hasTouch">;
}

const isLive = (page: Page): Promise<void> => page.locator(".connection.live").waitFor({ state: "attached" });

async function signInWithToken(page: Page, server: TestServer, { token }: Somebody): Promise<void> {
  await page.goto(`${server.url}/user/token`);
  await page.locator("input[name=token]").fill(token);
  await page.locator("button[type=submit]").click();
  await isLive(page);
}

/** Alice signs in with the form, because a token has access to less of the account. */
async function signInWithPassword(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}/user/sign-in`);
  await page.locator("input[name=username]").fill("alice");
  await page.locator("input[name=password]").fill("alice's password");
  await page.keyboard.press("Enter");
  await isLive(page);
}

async function enter(page: Page, server: TestServer, furnished: Furnished, who: Who): Promise<void> {
  if (who === "cookie") await signInWithPassword(page, server);
  else if (who !== "visitor") await signInWithToken(page, server, furnished[who]);
}

/** Opens a page, and signs a person in. The clock of the page is fixed for screenshots. */
export async function openAs(
  browser: Browser,
  server: TestServer,
  { furnished, who, screen }: Viewer & { readonly furnished: Furnished },
): Promise<Page> {
  const options = { ...screen, locale: "en", timezoneId: "UTC", serviceWorkers: "block" } as const;
  const page = await (await browser.newContext(options)).newPage();
  await page.clock.setFixedTime(now);
  await enter(page, server, furnished, who);
  return page;
}

/** Replaces the host on the sign-in pages, because the port of the server differs each time. */
const nameHost = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll("body *")].filter(({ textContent }) => textContent === location.host);
    for (const name of names) name.replaceChildren("telex.example");
  });

/** Shows a state of a page. For a visitor, the storage of the browser is empty. */
export async function show(
  page: Page,
  server: TestServer,
  who: Who,
  { path, before, act, isHeld }: Shot,
): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (who === "visitor") await page.context().clearCookies();
  await page.goto("about:blank");
  await before?.(page);
  await page.goto(`${server.url}/user/${path}`);
  if (who !== "visitor" && before === undefined && path !== "anything") await isLive(page);
  await act?.(page);
  if (isHeld !== true) await page.waitForLoadState("networkidle");
  if (who === "visitor") await nameHost(page);
}
