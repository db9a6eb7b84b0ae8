import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The findings of axe with these options, as `rule: element`. */
export async function findings(page: Page, options: RunOptions = {}): Promise<string[]> {
  // Reading its half a megabyte takes as long as looking at a page: once for each document.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<Pick<axe.AxeResults, "violations">>(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Pixels by which the page can be scrolled sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The faults of the visible page: the findings of axe in each theme, and how far the page scrolls sideways. */
export async function faultsOf(page: Page): Promise<{ light: string[]; dark: string[]; sideways: number }> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await findings(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  // Nothing but colours depends on the theme.
  const dark = await findings(page, { runOnly: { type: "rule", values: ["color-contrast"] } });
  return { light, dark, sideways: await sideways(page) };
}

/** A page with which nothing is wrong. */
export const faultless = { light: [], dark: [], sideways: 0 };

/** A phone that is as narrow as they come. */
export const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/**
 * The looks in which a page is checked: each language once, and each screen once. A missing name depends on the language alone; what is too
 * wide is so on the phone, and in English, whose words are longer.
 */
export const looks = [
  { on: "a desk, in Chinese", locale: "zh-CN" },
  { on: "a phone, in English", locale: "en-GB", ...phone },
] as const;
