import { expect, onTestFinished, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser, useServer } from "./browser.ts";
import { clock, furnish } from "./furnished.ts";
import { show, sitDown } from "./sitting.ts";
import { people, states } from "./states.ts";

const browser = useBrowser();
const screen = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** States that are looked at by one test. */
const atATime = 8;

const parts = people.flatMap((who) => {
  const names = Object.keys(states[who]);
  const starts = names.keys().filter((at) => at % atATime === 0);
  return starts.map((at) => ({ who, names: names.slice(at, at + atATime) })).toArray();
});

test.each(parts)(
  "axe finds nothing, in either theme, in $names of $who, and nothing is wider than a phone",
  async ({ who, names }) => {
    const server = await useServer({ accounts: {}, hasUser: false, clock });
    const furnished = await furnish(server);
    const page = await sitDown(browser(), server, { who, screen, furnished });
    onTestFinished(() => page.context().close());
    const faults: Record<string, unknown> = {};
    for (const name of names) {
      await show(page, server, who, states[who][name]?.(furnished.groupId) ?? { path: "" });
      faults[name] = await faultsOf(page);
      await page.context().setOffline(false);
    }
    expect(faults).toEqual(Object.fromEntries(names.map((name) => [name, faultless])));
  },
  120_000,
);
