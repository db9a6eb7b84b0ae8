import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { expect, it, onTestFinished } from "vitest";

const program = fileURLToPath(new URL("client.py", import.meta.url));
const deviceId = "python-printer";

async function startServer() {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
  const alice = await telex.authenticate(token);
  await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
  const ws = createWs(telex, { basePath: "/telex" });
  const http = createHttp(telex, { basePath: "/telex", documents: { "/asyncapi.json": ws.asyncApi } });
  const server = createServer(http.node).on("upgrade", ws.handleUpgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await ws.close();
    server.close().closeAllConnections();
    await telex.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  return { telex, alice, token, groupId, url: `http://127.0.0.1:${address.port}` };
}

it("a program that knows only /asyncapi.json joins a room, a device feed and a chat", async () => {
  const { telex, alice, token, groupId, url } = await startServer();
  await telex.teleprinter.send(alice, { deviceId, content: "你好" });
  const args = [program, "--url", `${url}/telex`, "--room", String(groupId), "--device", deviceId];
  const child = spawn("python3", args, {
    env: { ...process.env, TELEX_TOKEN: token, PYTHONIOENCODING: "utf-8" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  await once(child, "close");
  expect(printed.trimEnd().split("\n")).toEqual([
    "sent",
    'heard Alice [{"text":{"text":"hello from Python"}}]',
    "waiting",
    "printed 你好",
    "answered one two True",
  ]);
  expect(child.exitCode).toBe(0);
  const { messages } = await telex.teleprinter.messages(alice, { deviceId });
  expect(messages).toMatchObject([{ content: "你好", delivered: 1 }]);
});
