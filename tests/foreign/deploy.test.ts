import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { type ChatModel, createTelex, echoModel, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { openChannel } from "@telex/ws/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { telex as run } from "test-support/command";
import { at, listAt, parse } from "test-support/json";
import { type ExampleName, startProxy } from "./support/proxies.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const usage = { promptTokens: 1, completionTokens: 1, estimated: false };

/** A model that sends the second half of its reply only after a client has read the first one. */
function createPatientModel() {
  const heard = Promise.withResolvers<void>();
  const model: ChatModel = {
    ...echoModel,
    async *reply() {
      yield { kind: "delta", delta: "first" };
      await heard.promise;
      yield { kind: "delta", delta: " second" };
      yield { kind: "end", finishReason: "stop", usage };
    },
  };
  return { model, heard: () => heard.resolve() };
}

async function startBehind(example: ExampleName) {
  const { model, heard } = createPatientModel();
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    models: new Map([["patient", model]]),
  });
  const http = createHttp(telex, { trustProxy: 1 });
  const server = await serve({ telex, http, ws: createWs(telex), port: 0 });
  onTestFinished(() => server.close(0));
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  return { heard, token, upstream: server.url, ...(await startProxy(example, server.url)) };
}

const hasTraefik = process.env["TELEX_TEST_TRAEFIK"] !== undefined;
const examples = [
  "proxies/nginx.conf",
  "proxies/Caddyfile",
  "several-servers/nginx.conf",
  ...(hasTraefik ? (["proxies/traefik.yaml"] as const) : []),
] as const;

/** Traefik cannot shorten paths in its log, so its example has none, as the guide says. */
const logsPaths = (example: ExampleName): boolean => example !== "proxies/traefik.yaml";

describe.each(examples)("behind the proxy of deploy/%s", (example) => {
  it("sockets, event streams and uploads go through, and no token is logged", async () => {
    const { url, token, heard, accessLog } = await startBehind(example);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

    const rooms = await openChannel({ url, token, channel: "rooms" });
    rooms.close();

    const body = JSON.stringify({ content: "?" });
    const chat = await fetch(`${url}/external/api/v1/sseStream/chat`, { method: "POST", headers, body });
    let text = "";
    for await (const chunk of chat.body ?? []) {
      text += Buffer.from(chunk).toString();
      // A proxy that buffers the reply until its end never forwards the first half.
      if (text.includes("first")) heard();
    }
    expect(text).toContain("first second");

    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(3_000_000)]), "zeros.bin");
    const bearer = { authorization: headers.authorization };
    const stored = await fetch(`${url}/external/api/v1/bucket/upload`, { method: "POST", headers: bearer, body: form });
    expect(await stored.json()).toMatchObject({ data: { size: 3_000_000 } });

    await fetch(`${url}/external/api/v1/oauth2/userId?access_token=${token}`);
    const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket/${token}`);
    socket.addEventListener("open", () => socket.close());
    const socketLine = logsPaths(example) ? /imWebSocket\/-/ : /"DownstreamStatus":101/;
    await vi.waitUntil(async () => socketLine.test(await accessLog()), { timeout: 20_000 });
    const logged = await accessLog();
    expect(logged.includes("/external/api/v1/oauth2/userId")).toBe(logsPaths(example));
    expect(logged).not.toContain(token);
  });
});

describe("telex doctor", () => {
  const withoutUpgrades = {
    "proxies/nginx.conf": (text: string) => text.replaceAll(/^ *proxy_set_header (Upgrade|Connection) .*$/gm, ""),
    "proxies/Caddyfile": (text: string) =>
      text.replace("flush_interval -1", "flush_interval -1\n\t\theader_up -Upgrade\n\t\theader_up -Connection"),
  } as const;

  async function examine(url: string): Promise<unknown> {
    const cwd = await mkdtemp(join(tmpdir(), "telex-doctor-"));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    const { stdout } = await run(["doctor", "--json", "--port", "0", "--base-url", url], { cwd });
    return listAt(parse(stdout), "checks").find((one) => at(one, "name") === "proxy");
  }

  it.each(["proxies/nginx.conf", "proxies/Caddyfile"] as const)(
    "tells whether a proxy passes WebSockets on: deploy/%s, and the same without the headers",
    async (example) => {
      const { url, upstream } = await startBehind(example);
      expect(await examine(url)).toMatchObject({ status: "ok" });
      const wrong = await startProxy(example, upstream, { change: withoutUpgrades[example] });
      expect(await examine(wrong.url)).toMatchObject({
        status: "fail",
        detail: `${wrong.url} answers, but its proxy does not pass WebSockets on`,
      });
    },
  );
});

describe("the units of systemd", () => {
  // The scale of `security` goes from 0 to 10; above a tenth of the threshold, it fails. The server has 1.3, the backup 1.4, a device 1.7, a printer 2.1.
  it.each([
    ["telex", 15],
    ["telex-backup", 15],
    ["telex-device@", 18],
    ["telex-printer@", 22],
  ])("are correct, and %s exposes little", async (name, threshold) => {
    const folder = await mkdtemp(join(tmpdir(), "telex-unit-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const unit = join(folder, `${name}.service`);
    const text = await readFile(join(root, "deploy", `${name}.service`), "utf8");
    await writeFile(unit, text.replace(/\/usr\/(bin\/node|local\/bin\/telex)/, process.execPath));
    await copyFile(join(root, "deploy", "telex-backup.timer"), join(folder, "telex-backup.timer"));
    expect(await runToSuccess("systemd-analyze", ["verify", unit, join(folder, "telex-backup.timer")])).toBe("");
    await runToSuccess("systemd-analyze", ["security", "--offline=true", `--threshold=${threshold}`, unit]);
  });
});

/** Runs a checker on a file of `deploy` with a changed text. */
async function check(program: readonly [string, ...string[]], name: string, change = (text: string) => text) {
  const folder = await mkdtemp(join(tmpdir(), "telex-check-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "changed.yaml");
  await writeFile(file, change(await readFile(join(root, name), "utf8")));
  const [command, ...args] = program;
  return await runToSuccess(pythonProgram(command), [...args, file]);
}

describe("the Dockerfile", () => {
  it("follows the rules of hadolint", async () => {
    const checker = ["hadolint"] as const;
    await check(checker, "Dockerfile");
    const wrong = check(checker, "Dockerfile", (text) => text.replace('CMD ["serve"]', "CMD serve"));
    await expect(wrong).rejects.toThrow("DL3025");
  });
});

describe("the compose files", () => {
  const checker = ["check-jsonschema", "--builtin-schema", "vendor.compose-spec"] as const;

  it.each(["compose.yaml", "deploy/several-servers/compose.yaml"])(
    "follow the Compose Specification: %s",
    async (name) => {
      await check(checker, name);
      const wrong = check(checker, name, (text) => text.replaceAll("cap_drop:", "capDrop:"));
      await expect(wrong).rejects.toThrow("capDrop");
    },
  );
});

describe("the manifests of Kubernetes", () => {
  const name = "deploy/kubernetes/telex.yaml";

  it.each(["1.30", "1.37"])("follow the schemas of version %s", async (version) => {
    const checker = ["kubernetes-validate", "--strict", "--kubernetes-version", version] as const;
    await check(checker, name);
    const wrong = check(checker, name, (text) => text.replace("runAsNonRoot:", "runAsNonroot:"));
    await expect(wrong).rejects.toThrow("runAsNonroot");
  });

  it("probe paths that a server answers", async () => {
    const telex = await createTelex({
      storage: createMemoryStorage(),
      blobs: createMemoryBlobs(),
      images: createSharpEngine(),
    });
    const server = await serve({ telex, http: createHttp(telex), ws: createWs(telex), port: 0 });
    onTestFinished(() => server.close(0));
    const paths = [...(await readFile(join(root, name), "utf8")).matchAll(/httpGet: \{ path: ([^,]+),/g)];
    expect(paths).toHaveLength(3);
    for (const [, path = ""] of paths) expect((await fetch(server.url + path)).status).toBe(200);
  });
});

it.each(["compose.yaml", "deploy/several-servers/compose.yaml", "deploy/kubernetes/telex.yaml"])(
  "%s names only settings that there are",
  async (name) => {
    const known = new Set((await readFile(join(root, "docs/configuration.md"), "utf8")).match(/TELEX_[A-Z_]+/g));
    const named = (await readFile(join(root, name), "utf8")).match(/^[^#\n]*TELEX_[A-Z_]+/gm) ?? [];
    const variables = named.flatMap((line) => line.match(/TELEX_[A-Z_]+/g) ?? []);
    expect(variables.length).toBeGreaterThan(1);
    expect(variables.filter((variable) => !known.has(variable))).toEqual([]);
  },
);
