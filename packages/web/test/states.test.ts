import { expect, onTestFinished, test } from "vitest";
import { faultless, faultsOf, findings, sideways } from "./axe.ts";
import { useBrowser, useServer } from "./browser.ts";
import { clock, furnish } from "./furnished.ts";
import { show, openAs } from "./viewer.ts";
import { people, states } from "./states.ts";

const browser = useBrowser();
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };
/** The number of states per test. */
const atATime = 8;

const parts = people.flatMap((who) => {
  const names = Object.keys(states[who]);
  const starts = names.keys().filter((at) => at % atATime === 0);
  return starts.map((at) => ({ who, names: names.slice(at, at + atATime) })).toArray();
});

test.each(parts)(
  "axe finds nothing on a phone, in either theme, nor on a desk, in $names of $who, and nothing is wider than the screen",
  async ({ who, names }) => {
    const server = await useServer({ accounts: {}, hasUser: false, clock });
    const furnished = await furnish(server);
    const page = await openAs(browser(), server, { who, screen: { viewport: phone, hasTouch: true }, furnished });
    onTestFinished(() => page.context().close());
    const faults: Record<string, unknown> = {};
    for (const name of names) {
      await show(page, server, who, states[who][name]?.(furnished.groupId) ?? { path: "" });
      const onPhone = await faultsOf(page);
      // Not loaded again, and only in the current theme. The lists and the side panel on the desktop are separate
      // states.
      await page.setViewportSize(desk);
      faults[name] = { onPhone, onDesk: await findings(page), sideways: await sideways(page) };
      await page.setViewportSize(phone);
      await page.context().setOffline(false);
    }
    const none = { onPhone: faultless, onDesk: [], sideways: 0 };
    expect(faults).toEqual(Object.fromEntries(names.map((name) => [name, none])));
  },
  120_000,
);
