// Makes a project with the packed create-telex for every server, or for those named as arguments, installs the packed packages as its output says,
// compiles, builds and starts it, registers a device and exchanges a text. Needs a build. Takes minutes: it installs Nuxt and Next.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { packAll, type Packed } from "./packages/pack.ts";
import { report, run } from "./packages/report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const all = ["node", "express", "fastify", "hono", "h3", "nuxt", "next"];
const project = z.looseObject({ scripts: z.record(z.string(), z.string()) });

async function must(cwd: string, command: string, ...args: readonly string[]): Promise<void> {
  const { status, output } = await run(cwd, command, args);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${status}:\n${output}`);
}

const scriptsOf = (folder: string): Readonly<Record<string, string>> =>
  project.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).scripts;

async function call(url: string, token: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}/external/api/v1/teleprinter${path}`, init);
  const { data } = z.object({ data: z.unknown() }).parse(await response.json());
  return data;
}

async function tryProject(url: string, token: string): Promise<void> {
  const page = await fetch(new URL("/", url));
  assert.match(await page.text(), /A page of your own\./);
  await call(url, token, "/register", { deviceId: "printer", name: "Printer" });
  await call(url, token, "/send", { deviceId: "printer", content: "你好" });
  const texts = z.array(z.looseObject({ content: z.string() })).parse(await call(url, token, "/poll?deviceId=printer"));
  assert.deepEqual(
    texts.map(({ content }) => content),
    ["你好"],
  );
  const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket/${token}`);
  await once(socket, "open");
  socket.close();
}

/** The output of a project's first start. */
async function greeting(child: ChildProcess): Promise<{ readonly url: string; readonly token: string }> {
  let [url, token] = ["", ""];
  if (child.stdout === null) throw new TypeError("The project has no output.");
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= /below (\S+)\. /.exec(line)?.[1] ?? "";
    token ||= /only once: (\S+)/.exec(line)?.[1] ?? "";
    if (url !== "" && token !== "") return { url, token };
  }
  throw new Error("The project ended without a greeting.");
}

async function start(folder: string): Promise<void> {
  const env = { ...process.env, PORT: "0", NODE_ENV: "production" };
  const child = spawn(process.execPath, ["main.ts"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended: Promise<unknown[]> = once(child, "close");
  try {
    const { url, token } = await greeting(child);
    await tryProject(url, token);
  } finally {
    child.kill("SIGTERM");
  }
  assert.deepEqual(await ended, [0, null]);
}

async function check(server: string, scratch: string, packages: readonly Packed[]): Promise<boolean> {
  const folder = join(scratch, server);
  try {
    await must(join(scratch, "tool"), "npx", "create-telex", folder, "--server", server);
    const tarballs = packages.map(({ tarball }) => tarball);
    await must(folder, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs);
    const scripts = scriptsOf(folder);
    if (scripts["build"] === undefined) await must(folder, "npx", "tsc");
    else await must(folder, "npm", "run", "build");
    await start(folder);
    return report(server, true, "");
  } catch (error) {
    return report(server, false, String(error));
  }
}

const scratch = mkdtempSync(join(tmpdir(), "telex-create-"));
try {
  const packages = await packAll(root, scratch);
  const tool = packages.find(({ manifest }) => manifest.name === "create-telex");
  mkdirSync(join(scratch, "tool"));
  writeFileSync(join(scratch, "tool", "package.json"), '{"private":true}');
  await must(join(scratch, "tool"), "npm", "install", "--prefer-offline", "--no-audit", tool?.tarball ?? "");
  const named = process.argv.slice(2);
  const passed: boolean[] = [];
  for (const server of named.length > 0 ? named : all) passed.push(await check(server, scratch, packages));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
