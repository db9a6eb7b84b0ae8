import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { servers } from "../src/servers.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = fileURLToPath(new URL("../bin/create-telex.js", import.meta.url));
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));

const manifest = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  scripts: z.record(z.string(), z.string()),
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "create-telex-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command as a script does: nobody can answer questions. */
async function create(cwd: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const ended: Promise<unknown[]> = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr };
}

async function readUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let said = "";
  const ended = once(child, "close").then(() => null);
  while (!pattern.test(said)) {
    const chunk = child.stdout === null ? null : await Promise.race([once(child.stdout, "data"), ended]);
    if (chunk === null) throw new Error(`The project ended: ${said}`);
    said += String(chunk[0]);
  }
  return said;
}

/** Starts a project on the built packages of this repository. */
async function start(folder: string) {
  await symlink(modules, join(folder, "node_modules"));
  const env = { ...process.env, PORT: "0" };
  const child = spawn(process.execPath, ["main.ts"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended: Promise<unknown[]> = once(child, "close");
  const said = await readUntil(child, /Try it: .*\n/);
  const [, url = ""] = /below (\S+)\. /.exec(said) ?? [];
  const [, token = ""] = /only once: (\S+)/.exec(said) ?? [];
  return {
    url,
    token,
    stop: async () => {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
  };
}

async function call(url: string, token: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}/external/api/v1/teleprinter${path}`, init);
  return await response.json();
}

describe("create-telex", () => {
  it.each(["node", "express", "fastify", "hono", "h3"])(
    "makes a project for %s that answers, keeps its data, and stops in order",
    async (server) => {
      const parent = await newFolder();
      expect(await create(parent, "Teahouse 1", "--server", server)).toMatchObject({ code: 0, stderr: "" });
      const folder = join(parent, "Teahouse 1");
      const { url, token, stop } = await start(folder);

      expect(await (await fetch(new URL("/", url))).text()).toBe("A page of your own.\n");
      const device = { deviceId: "printer", name: "打印机" };
      expect(await call(url, token, "/register", device)).toMatchObject({ data: device });
      const sent = { deviceId: "printer", content: "你好" };
      expect(await call(url, token, "/send", sent)).toMatchObject({ code: 200 });
      expect(await call(url, token, "/poll?deviceId=printer")).toMatchObject({ data: [{ content: "你好" }] });

      const counted = await fetch(`${url}/external/api/v1/oauth2/userId`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(counted.headers.get("ratelimit-policy")).toBe('"token";q=600;w=12');

      const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket/${token}`);
      await once(socket, "open");
      const closed = once(socket, "close");
      expect(await stop()).toBe(0);
      expect(await closed).toMatchObject([{ code: 1001 }]);
      const ignored = await readFile(join(folder, ".gitignore"), "utf8");
      expect(ignored.split("\n")).toContain("data/");
    },
  );

  it.each(Object.keys(servers))("describes a project for %s with the versions of this repository", async (server) => {
    const folder = await newFolder();
    await create(folder, "--server", server, "My Chat!");
    const made = manifest.parse(JSON.parse(await readFile(join(folder, "My Chat!", "package.json"), "utf8")));
    expect(made.name).toBe("my-chat");
    const catalog = await readFile(join(root, "pnpm-workspace.yaml"), "utf8");
    const apart = Object.entries({ ...made.dependencies, ...made.devDependencies }).filter(([name, range]) => {
      const [, version] = new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(catalog) ?? [];
      return version !== undefined && version !== range.replace("^", "");
    });
    expect(apart).toEqual([]);
    const readme = await readFile(join(folder, "My Chat!", "README.md"), "utf8");
    expect(readme).not.toContain("{{");
    for (const [, script = ""] of readme.matchAll(/^npm (?:run )?(\w+)$/gm))
      expect([...Object.keys(made.scripts), "install"]).toContain(script);
  });

  it("asks nothing where nobody can answer", async () => {
    const { code, stderr } = await create(await newFolder());
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "Name the folder: npm create telex my-telex -- --server express\n",
    });
  });

  it("leaves a folder with files as it is", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "mine"));
    await writeFile(join(folder, "mine", "main.ts"), "mine");
    const { code, stderr } = await create(folder, "mine");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "mine is not empty. Choose a folder that does not exist, or that is empty.\n",
    });
    expect(await readFile(join(folder, "mine", "main.ts"), "utf8")).toBe("mine");
  });

  it.each([
    [
      ["x", "--server", "koa"],
      '--server cannot be "koa". It is one of node, express, fastify, hono, h3, nuxt, next.\n',
    ],
    [["x", "y"], "Name one folder only.\n"],
    [["x", "--sever", "node"], /Unknown option '--sever'.*\nSee npm create telex -- --help\n$/s],
  ])("refuses %j with what would be right", async (args, message) => {
    const { code, stderr } = await create(await newFolder(), ...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});
