import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished } from "vitest";

const program = fileURLToPath(new URL("device.py", import.meta.url));
const deviceId = "python-printer";

/** A server whose answers a test can lose. */
async function startServer() {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const issue = async (scope: string) =>
    (await telex.operator.tokens.issue(operator, { userId: id, scopes: [scope] })).token;
  const alice = await telex.authenticate(await issue("chat"));
  const http = createHttp(telex);
  let losing = 0;
  const listener: RequestListener = (request, response) => {
    if (losing > 0 && request.url?.includes("/poll") === true) {
      losing -= 1;
      // The server acts, and its answer is lost.
      response.socket?.destroySoon();
    }
    http.node(request, response);
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close().closeAllConnections();
    await telex.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  return {
    telex,
    alice,
    url: `http://127.0.0.1:${address.port}`,
    deviceToken: await issue(`device:${deviceId}`),
    lose: (answers: number) => (losing = answers),
    send: (content: string) => telex.teleprinter.send(alice, { deviceId, content }),
  };
}

async function startDevice(
  url: string,
  options: { readonly token?: string; readonly count: number; readonly state: string },
) {
  const { TELEX_TOKEN: _, ...clean } = process.env;
  const env = options.token === undefined ? clean : { ...clean, TELEX_TOKEN: options.token };
  const args = [program, "--url", url, "--id", deviceId, "--count", String(options.count), "--state", options.state];
  const child = spawn("python3", args, { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ...readLines(child) };
}

function readLines(child: ChildProcess) {
  let text = "";
  const ended = once(child, "close");
  child.stdout?.on("data", (chunk) => (text += String(chunk)));
  return {
    lines: () => text.trimEnd().split("\n"),
    async saw(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) return found[1] ?? found[0];
        if (child.stdout === null || child.exitCode !== null) throw new Error(`The device ended: ${text}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
    ended: async (): Promise<unknown> => (await ended)[0],
  };
}

async function stateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-device-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "state.json");
}

describe("the device in Python", () => {
  it("prints each text once and answers it, also when answers are lost", async () => {
    const server = await startServer();
    const device = await startDevice(server.url, { token: server.deviceToken, count: 3, state: await stateFile() });
    await device.saw(/is online/);
    await server.send("one\ntwo");
    await device.saw(/two/);
    server.lose(1);
    await server.send("你好 😀");
    await server.send("three");
    expect(await device.ended()).toBe(0);
    expect(device.lines().slice(1)).toEqual(["one", "two", "你好 😀", "three"]);
    const { messages } = await server.telex.teleprinter.messages(server.alice, { deviceId });
    const sent = messages.filter(({ direction }) => direction === "to_device");
    const answers = messages.filter(({ direction }) => direction === "from_device");
    expect(sent.map(({ delivered }) => delivered)).toEqual([1, 1, 1]);
    expect(answers.map(({ content }) => content)).toEqual(sent.map(({ id }) => `read ${id}`));
    expect((await server.telex.teleprinter.devices(server.alice, {}))[0]).toMatchObject({ deviceId, online: false });
  });

  it("pairs by a code that its user confirms, and keeps its token", async () => {
    const server = await startServer();
    const state = await stateFile();
    const device = await startDevice(server.url, { count: 1, state });
    const code = await device.saw(/code {2}([A-Z]{4}-[A-Z]{4})/);
    await server.telex.pairing.confirmPairing(server.alice, { code });
    await device.saw(/is online/);
    await server.send("paired");
    expect(await device.ended()).toBe(0);
    expect(device.lines().at(-1)).toBe("paired");
    expect(await readFile(state, "utf8")).toContain('"token": "tlxp_');
    const again = await startDevice(server.url, { count: 1, state });
    await again.saw(/is online/);
    await server.send("again");
    expect(await again.ended()).toBe(0);
    expect(again.lines().at(-1)).toBe("again");
  });
});
