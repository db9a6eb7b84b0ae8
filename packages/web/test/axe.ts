import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The findings of axe with these options, as `rule: element`. */
export async function findings(page: Page, options: RunOptions = {}): Promise<string[]> {
  // Evaluating half a megabyte takes as long as checking a page, so it is done once per document.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<Pick<axe.AxeResults, "violations">>(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** The number of pixels by which the page scrolls horizontally. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The faults of the visible page: the findings of axe in each theme, and horizontal scrolling. */
export async function faultsOf(page: Page): Promise<{ light: string[]; dark: string[]; sideways: number }> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await findings(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  // Only colours depend on the theme.
  const dark = await findings(page, { runOnly: { type: "rule", values: ["color-contrast"] } });
  return { light, dark, sideways: await sideways(page) };
}

/** The result for a page without faults. */
export const faultless = { light: [], dark: [], sideways: 0 };

/** The narrowest phone. */
export const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/**
 * The combinations in which a page is checked: each language once, and each screen once. Missing names depend only on the language. Overflow is most
 * likely on the phone in English, because its words are longer.
 */
export const looks = [
  { on: "a desk, in Chinese", locale: "zh-CN" },
  { on: "a phone, in English", locale: "en-GB", ...phone },
] as const;
