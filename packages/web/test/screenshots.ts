import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { clock, furnish } from "./furnished.ts";
import { keepPictures } from "./kept-pictures.ts";
import { launch } from "./launch.ts";
import { startServer, type TestServer } from "./server.ts";
import { show, openAs, type Viewer } from "./viewer.ts";
import { people, states } from "./states.ts";

// Screenshots of each page and state, in two widths and two themes, compared with the previous ones: `npm test --
// screenshots [name]`.

const pictures = await keepPictures(fileURLToPath(new URL("../dist/screenshots/", import.meta.url)));
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
const themes = ["light", "dark"] as const;

async function shootAs(browser: Browser, server: TestServer, viewer: Parameters<typeof openAs>[2] & Viewer & Wanted) {
  const { who, furnished, width, shown } = viewer;
  const page = await openAs(browser, server, viewer);
  for (const name of shown) {
    await show(page, server, who, states[who][name]?.(furnished.groupId) ?? { path: "" });
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await pictures.keep(`${name}-${width}-${colorScheme}`, await page.screenshot({ caret: "hide" }));
    }
    await page.context().setOffline(false);
  }
  await page.context().close();
}

interface Wanted {
  readonly width: number;
  readonly shown: readonly string[];
}

async function shoot(browser: Browser, server: TestServer, names: readonly string[]): Promise<void> {
  const furnished = await furnish(server);
  for (const viewport of sizes)
    for (const who of people) {
      const shown = Object.keys(states[who]).filter((name) => names.length === 0 || names.includes(name));
      const screen = { viewport, hasTouch: viewport.width < 768 };
      if (shown.length > 0) await shootAs(browser, server, { who, screen, furnished, width: viewport.width, shown });
    }
}

const server = await startServer({ accounts: {}, hasUser: false, clock });
const browser = await launch();
try {
  await shoot(browser, server, process.argv.slice(2));
  await pictures.writeReport();
} finally {
  await browser.close();
  await server.close();
}
