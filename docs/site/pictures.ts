// Makes the pictures of the site with a demo server and Chromium: `npm run pictures --prefix docs`. Needs a build, and fonts for Chinese.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import { z } from "zod";
import { terminalPicture } from "./terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "packages/cli/bin/telex.cjs");
const target = join(root, "docs/public/pictures");
const places = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const pages = {
  teleprinter: "/user/teleprinter/device/demo-printer",
  rooms: "/user/rooms/1",
  pictures: "/user/pictures/",
} as const;
const wide = { width: 1120, height: 640 };
const narrow = { width: 390, height: 640 };
const shots = [
  { name: "rooms", file: "rooms", dark: false, viewport: wide },
  { name: "rooms", file: "rooms-dark", dark: true, viewport: wide },
  { name: "rooms", file: "rooms-narrow", dark: false, viewport: narrow },
  { name: "rooms", file: "rooms-narrow-dark", dark: true, viewport: narrow },
  { name: "teleprinter", file: "teleprinter", dark: false, viewport: wide },
  { name: "pictures", file: "pictures", dark: false, viewport: wide },
] as const;
const printed = z.object({ url: z.string(), users: z.array(z.object({ token: z.string(), link: z.url() })) });

/** Runs a command, and returns what it shows on a terminal with colours. */
async function telex(folder: string, url: string, token: string, input: string, ...args: readonly string[]) {
  const env = { ...process.env, TELEX_URL: url, TELEX_TOKEN: token, FORCE_COLOR: "1" };
  const child = spawn(process.execPath, [command, ...args], { cwd: folder, env });
  child.stdin.end(input);
  const closed = once(child, "close");
  const [result, notes] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return result + notes;
}

const session: readonly (readonly string[])[] = [
  ["device", "list"],
  ["device", "send", "Dinner at eight. 八点吃饭。", "--id", "demo-printer", "--quiet"],
  ["device", "history", "demo-printer", "--last", "3"],
  ["image", "telex-data/demo/lake.jpg", "--height", "18"],
];

/** Commands and what they print, as a picture of a terminal. */
async function shootTerminal(folder: string, url: string, token: string): Promise<void> {
  let shown = "";
  for (const args of session) {
    const typed = args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : `"${arg}"`)).join(" ");
    shown += `${styleText("green", "$", { validateStream: false })} telex ${typed}\n`;
    shown += `${(await telex(folder, url, token, "", ...args)).trimEnd()}\n\n`;
  }
  const label = "Commands of telex: devices, a text for one, its history, and a picture as text";
  await writeFile(join(target, "terminal.svg"), terminalPicture(shown, label));
}

/** Says something in the demo, so that its pages have something to show. */
async function fill(folder: string, url: string, [alice, bob]: readonly string[]): Promise<void> {
  await telex(folder, url, alice ?? "", "", "device", "send", "Tea is ready. 茶泡好了。", "--id", "demo-printer");
  const said = [
    [bob, "Good evening! 晚上好"],
    [alice, "Is the printer in the kitchen online?"],
    [bob, "Yes. Send it something."],
  ] as const;
  for (const [token, line] of said) await telex(folder, url, token ?? "", `${line}\n`, "group", "talk", "1");
}

interface Shot {
  /** Signs alice in. */
  readonly link: string;
  readonly folder: string;
  readonly shot: (typeof shots)[number];
}

async function shoot(browser: Browser, { link, folder, shot: { name, file, dark, viewport } }: Shot): Promise<void> {
  const context = await browser.newContext({
    viewport,
    // Sharp also on fine screens.
    deviceScaleFactor: 2,
    colorScheme: dark ? "dark" : "light",
    locale: "en",
    // For the function below, which waits for pictures.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("Live", { exact: true }).first().waitFor({ state: "attached" });
  await page.goto(new URL(pages[name], link).href);
  await page.getByText("Live", { exact: true }).first().waitFor({ state: "attached" });
  if (name === "pictures")
    await page.locator("input[type=file]").first().setInputFiles(join(folder, "telex-data/demo/lake.jpg"));
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(
    "[...document.images].every((image) => image.naturalWidth > 0 || !image.checkVisibility())",
  );
  await sharp(await page.screenshot())
    .webp({ quality: 50 })
    .toFile(join(target, `${file}.webp`));
  await context.close();
}

async function main(folder: string): Promise<void> {
  const serve = [command, "serve", "--demo", "--json", "--port", "0", "--log-level", "error"];
  const server = spawn(process.execPath, serve, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines: unknown[] = await once(createInterface({ input: server.stdout }), "line");
    const { url, users } = printed.parse(JSON.parse(String(lines[0])));
    const tokens = users.map(({ token }) => token);
    await fill(folder, url, tokens);
    await mkdir(target, { recursive: true });
    await shootTerminal(folder, url, tokens[0] ?? "");
    const executablePath = places.find((place) => place !== "" && existsSync(place)) ?? "chromium";
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    for (const shot of shots) await shoot(browser, { link: users[0]?.link ?? "", folder, shot });
    await browser.close();
  } finally {
    server.kill("SIGTERM");
  }
}

const folder = await mkdtemp(join(tmpdir(), "telex-pictures-"));
try {
  await main(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
