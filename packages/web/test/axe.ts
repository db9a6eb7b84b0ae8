import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

// In the page itself: otherwise each run opens a second page.
const axe = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode();

/** What axe finds, as `rule: element`. */
async function faults(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Pixels by which the page can be scrolled sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What is wrong with what is seen now: what axe finds in each theme, and how far the page scrolls sideways. */
export async function faultsOf(page: Page): Promise<{ light: string[]; dark: string[]; sideways: number }> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await faults(axe(page));
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  // Nothing but colours depends on the theme.
  const dark = await faults(axe(page).withRules(["color-contrast"]));
  return { light, dark, sideways: await sideways(page) };
}

/** A page with which nothing is wrong. */
export const faultless = { light: [], dark: [], sideways: 0 };

/** A phone that is as narrow as they come. */
export const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** Languages and screens in which a page is looked at. */
export const looks = [
  { on: "a desk, in English", locale: "en-GB" },
  { on: "a desk, in Chinese", locale: "zh-CN" },
  { on: "a phone, in English", locale: "en-GB", ...phone },
  { on: "a phone, in Chinese", locale: "zh-CN", ...phone },
] as const;
