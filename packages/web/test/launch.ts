import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = [
  process.env["CHROMIUM"] ?? "",
  // Needs half the CPU time of the full browser.
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a headless browser. */
export async function launch(): Promise<Browser> {
  const executablePath = places.find((place) => place !== "" && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      "These tests need Chromium: run `apt-get install -y chromium`, or name one in the environment variable CHROMIUM.",
    );
  }
  return await chromium.launch({ executablePath, args: flags });
}
