import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { parse } from "test-support/json";
import { portOf } from "test-support/port";
import { expect, it, onTestFinished } from "vitest";
import { foreign } from "./support/cache.ts";
import { startPeople } from "./support/oauth.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";

/** A push service that keeps the body of the first notification. */
async function startPushService() {
  const { promise: body, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((request, response) => {
    resolve(buffer(request));
    request.on("end", () => void response.writeHead(201).end());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  return { host: `127.0.0.1:${portOf(server)}`, body };
}

it("http_ece for Python reads the notification of a text from a device", async () => {
  const service = await startPushService();
  const { member } = await startPeople(1, { args: ["--push-allow", service.host] });
  const curve = createECDH("prime256v1");
  const p256dh = curve.generateKeys("base64url");
  const auth = randomBytes(16).toString("base64url");
  const browser = await member("alice");
  await browser.post("/push/subscriptions", {
    endpoint: `http://${service.host}/push`,
    keys: { p256dh, auth },
    text: true,
    devices: { texts: true },
  });
  await browser.post("/teleprinter/register", { deviceId: "kitchen", name: "Kitchen" });
  await browser.post("/teleprinter/sync", { deviceId: "kitchen", content: "茶 is ready." });
  const privateKey = curve.getPrivateKey("base64url");
  const input = JSON.stringify({ privateKey, auth, body: (await service.body).toString("base64url") });
  const program = join(foreign, "web-push-python", "main.py");
  const content = parse(await runToSuccess(pythonProgram("python"), [program], { input }));
  expect(content).toMatchObject({ deviceId: "kitchen", body: "茶 is ready.", count: 1 });
});
