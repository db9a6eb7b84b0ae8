import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { createCertificate } from "test-support/certificate";
import { folder, serve, telex, until } from "test-support/command";
import { parse, textAt } from "test-support/json";
import { WebSocket } from "ws";
import { expect, it } from "vitest";
import { telexHere } from "./in-process.ts";

/** CONNECT of MQTT 3.1.1 with the client identifier `c`. */
function connectPacket(userName: string, password: string): Buffer {
  const field = (text: string): Buffer => Buffer.concat([Buffer.from([0, Buffer.byteLength(text)]), Buffer.from(text)]);
  const body = Buffer.concat([
    field("MQTT"),
    Buffer.from([4, 0b1100_0010, 0, 60]),
    field("c"),
    field(userName),
    field(password),
  ]);
  return Buffer.concat([Buffer.from([0x10, body.length]), body]);
}

const accepted = Buffer.from([0x20, 2, 0, 0]);

it("serves MQTT on ports of its own, also over TLS, and over WebSocket at /mqtt", async () => {
  const cwd = await folder();
  const { cert, key } = createCertificate();
  await writeFile(join(cwd, "cert.pem"), cert);
  await writeFile(join(cwd, "key.pem"), key);
  const tls = ["--mqtt-tls-port", "0", "--mqtt-cert", "cert.pem", "--mqtt-key", "key.pem"];
  const server = await serve(["--demo", "--mqtt-port", "0", ...tls], { cwd });
  const lines = () => [...server.log().matchAll(/^.*"mqtt.listening".*$/gm)].map(([line]) => line);
  await until(() => Promise.resolve(lines().length === 2));
  const [listening, overTls] = lines().map((line) => parse(line));
  const token = textAt(server.printed, "users", 0, "token");

  const socket = connect(Number(new URL(textAt(listening, "address")).port), "127.0.0.1");
  socket.write(connectPacket("user", token));
  expect(await once(socket, "data")).toEqual([accepted]);
  socket.destroy();

  const secure = connectTls({ port: Number(new URL(textAt(overTls, "address")).port), host: "127.0.0.1", ca: cert });
  secure.write(connectPacket("user", token));
  expect(await once(secure, "data")).toEqual([accepted]);
  secure.destroy();

  const web = new WebSocket(`${server.url.replace("http", "ws")}/mqtt`, "mqtt");
  await once(web, "open");
  web.send(connectPacket("user", token));
  expect((await once(web, "message"))[0]).toEqual(accepted);
  web.terminate();

  expect((await fetch(`${server.url}/mqtt`)).status).toBe(404);
});

it("refuses a port of TLS without a certificate", async () => {
  const { code, stderr } = await telexHere(["serve", "--mqtt-port", "0", "--mqtt-tls-port", "0"], {
    cwd: await folder(),
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("mqttTlsPort needs mqttCert and mqttKey")]);
});

it("listens for MQTT on an address of its own, and names the setting where that is not possible", async () => {
  // An address reserved for documentation, which no machine has.
  const ports = ["--port", "0", "--mqtt-port", "0", "--mqtt-host", "203.0.113.1"];
  const { code, stderr } = await telex(["serve", ...ports], { cwd: await folder() });
  expect([code, stderr]).toEqual([1, expect.stringContaining("--mqtt-host")]);
});

it("connects to an existing broker, and names no password where that fails", async () => {
  const broker = ["--mqtt-url", "mqtt://telex:hidden-0123@127.0.0.1:1"];
  const cwd = await folder();
  const server = await serve(broker, { cwd });
  await until(() => Promise.resolve(server.log().includes("mqtt.broker_unreachable")));
  expect(server.log()).toContain("ECONNREFUSED");
  expect(server.log()).not.toContain("hidden-0123");
  const { code, stdout } = await telexHere(["doctor", ...broker, "--port", "0"], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining("mqtt://127.0.0.1:1 cannot be used: ECONNREFUSED")]);
  expect(stdout).not.toContain("hidden-0123");
});
