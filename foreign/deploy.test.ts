import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { type ChatModel, createTelex, echoModel, operator } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { openChannel } from "@telex/ws/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ExampleName, startProxy } from "./support/proxies.ts";
import { runToSuccess } from "./support/run.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const usage = { promptTokens: 1, completionTokens: 1, estimated: false };

/** A model that says the second half of its reply when somebody has read the first one. */
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
  return { heard, token, ...(await startProxy(example, server.url)) };
}

describe.each(["nginx.conf", "Caddyfile"] as const)("behind the proxy of deploy/proxies/%s", (example) => {
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
      // If the proxy kept the reply to itself until it is complete, nobody would hear the first half.
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
    await vi.waitUntil(async () => /imWebSocket\/-/.test(await accessLog()), { timeout: 20_000 });
    const logged = await accessLog();
    expect(logged).toContain("/external/api/v1/oauth2/userId");
    expect(logged).not.toContain(token);
  });
});

describe("the unit of systemd", () => {
  it("is correct, and exposes little", async () => {
    const folder = await mkdtemp(join(tmpdir(), "telex-unit-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const unit = join(folder, "telex.service");
    const text = await readFile(join(root, "deploy", "telex.service"), "utf8");
    await writeFile(unit, text.replace("/usr/bin/node", process.execPath));
    expect(await runToSuccess("systemd-analyze", ["verify", unit])).toBe("");
    // The scale of `security` goes from 0 to 10; above the threshold, it fails. The unit has 1.3.
    await runToSuccess("systemd-analyze", ["security", "--offline=true", "--threshold=15", unit]);
  });
});
