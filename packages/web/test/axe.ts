import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe finds, as `rule: element`. */
export async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Pixels by which the page can be scrolled sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Languages and themes in which a page is looked at. */
export const looks = [
  { locale: "en-GB", colorScheme: "light" },
  { locale: "en-GB", colorScheme: "dark" },
  { locale: "zh-CN", colorScheme: "light" },
  { locale: "zh-CN", colorScheme: "dark" },
] as const;

/** A phone that is as narrow as they come. */
export const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
