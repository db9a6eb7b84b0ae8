import { once } from "node:events";
import { createServer } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect } from "node:tls";
import { ticks } from "@telex/conformance/testing";
import { generate, type Packet } from "mqtt-packet";
import { createCertificate } from "test-support/certificate";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWebSocketStream, WebSocket } from "ws";
import { connectPacket, logIn, readPackets, startMqtt } from "./harness.ts";

const certificate = createCertificate();

/** A server with MQTT over TLS and a device. */
async function startTls(options: Parameters<typeof startMqtt>[0] = {}) {
  const running = await startMqtt(options);
  const { telex, mqtt, person } = running;
  const alice = await person("Alice");
  const caller = await running.caller(alice);
  await telex.teleprinter.register(caller, { deviceId: "kitchen", name: "Kitchen" });
  const tlsPort = await mqtt.listen({ host: "127.0.0.1", port: 0, tls: certificate });
  return {
    ...running,
    tlsPort,
    login: { username: "kitchen", password: alice.token },
    send: (content: string) => telex.teleprinter.send(caller, { deviceId: "kitchen", content }),
    say: (content: string) => telex.teleprinter.sync(caller, { deviceId: "kitchen", content }),
    waiting: async () =>
      (await telex.teleprinter.messages(caller, { deviceId: "kitchen" })).messages.filter((one) => one.delivered === 0),
  };
}

/** A client over a stream. */
function clientOf(stream: Duplex) {
  const packets = readPackets(5);
  stream.on("data", packets.push);
  stream.on("error", () => undefined);
  stream.on("close", packets.end);
  onTestFinished(() => void stream.destroy());
  return { ...packets, send: (packet: Packet) => void stream.write(generate(packet, { protocolVersion: 5 })) };
}

/** Logs in, receives a text, and acknowledges it. True if the text then counts as delivered. */
async function converse(
  stream: Duplex,
  { login, send, waiting }: Awaited<ReturnType<typeof startTls>>,
): Promise<boolean> {
  const client = clientOf(stream);
  client.send(connectPacket(login));
  expect((await client.next("connack")).reasonCode).toBe(0);
  client.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "telex/kitchen/to", qos: 1 }] });
  await client.next("suback");
  await send("hello");
  const { payload, messageId = 0 } = await client.next("publish");
  client.send({ cmd: "puback", messageId });
  client.send({ cmd: "pingreq" });
  await client.next("pingresp");
  return payload.toString() === "hello" && (await waiting()).length === 0;
}

function openTcp(port: number, ...bytes: readonly number[]): Socket {
  const socket = connectTcp(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.resume();
  if (bytes.length > 0) socket.write(Buffer.from(bytes));
  onTestFinished(() => void socket.destroy());
  return socket;
}

const closed = (socket: Duplex): Promise<unknown> => new Promise((resolve) => socket.once("close", resolve));

type Running = Awaited<ReturnType<typeof startTls>>;

/** A connection over TLS, whose certificate is checked. */
async function openTls({ tlsPort }: Running): Promise<Duplex> {
  const socket = connect({ port: tlsPort, host: "127.0.0.1", ca: certificate.cert });
  await once(socket, "secureConnect");
  return socket;
}

/** A WebSocket of an HTTPS server. */
async function openWebSocket({ mqtt }: Running): Promise<Duplex> {
  const server = createServer(certificate);
  server.on("upgrade", (request, socket, head) => void (mqtt.handleUpgrade(request, socket, head) || socket.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const socket = new WebSocket(`wss://127.0.0.1:${port}/mqtt`, "mqtt", { ca: certificate.cert });
  await once(socket, "open");
  return createWebSocketStream(socket);
}

describe.each([
  { over: "TLS", open: openTls },
  { over: "a WebSocket of an HTTPS server", open: openWebSocket },
])("over $over", ({ open }) => {
  it("a device converses", async () => {
    const running = await startTls();
    expect(await converse(await open(running), running)).toBe(true);
  });

  it("a reader that reads nothing is closed", async () => {
    const running = await startTls({ mqtt: { limits: { outputWaiting: 64 * 1024 } } });
    const { login, log, say } = running;
    const stream = await open(running);
    const slow = clientOf(stream);
    slow.send(connectPacket({ ...login, username: "user" }));
    await slow.next("connack");
    slow.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "telex/+/from", qos: 1 }] });
    await slow.next("suback");
    stream.pause();
    const isClosed = () => log.lines.some((line) => line.includes("mqtt.too_slow"));
    while (!isClosed()) {
      await say("x".repeat(2000));
      await ticks(1);
    }
    expect(isClosed()).toBe(true);
  });
});

it("closes clients that start no handshake, send one byte of it, or stay silent after it", async () => {
  const { tlsPort, mqtt, log, login, port } = await startTls({
    mqtt: { limits: { connectWait: 30 }, socketsPerAddress: 4 },
  });
  const strangers = [openTcp(tlsPort), openTcp(tlsPort, 0x16), openTcp(tlsPort, 0x16, 3, 1, 2)];
  const silent = connect({ port: tlsPort, host: "127.0.0.1", ca: certificate.cert });
  silent.resume();
  await Promise.all([...strangers, silent].map(closed));
  await ticks();
  // None of them is counted any more.
  expect([mqtt.size, log.lines.filter((line) => line.startsWith("error"))]).toEqual([0, []]);
  await logIn(port, login);
});

it("counts connections of an address before their handshake, and closes those above the limit", async () => {
  const { tlsPort } = await startTls({ mqtt: { socketsPerAddress: 2 } });
  const [first, second] = [openTcp(tlsPort), openTcp(tlsPort)];
  await Promise.all([once(first, "connect"), once(second, "connect")]);
  await closed(openTcp(tlsPort));
  expect([first.destroyed, second.destroyed]).toEqual([false, false]);
});

it("closes connections without TLS", async () => {
  const { tlsPort, login, log } = await startTls();
  const plain = openTcp(tlsPort);
  plain.write(generate(connectPacket(login), { protocolVersion: 5 }));
  await Promise.all([closed(plain), closed(openTcp(tlsPort, ...Buffer.from("GET / HTTP/1.1\r\n\r\n")))]);
  expect(log.lines.filter((line) => line.startsWith("error"))).toEqual([]);
});

it("does not wait for clients in their handshake when it closes", async () => {
  const { tlsPort, mqtt } = await startTls();
  const stranger = openTcp(tlsPort, 0x16);
  await once(stranger, "connect");
  await ticks();
  const ended = closed(stranger);
  await mqtt.close();
  await ended;
  expect(stranger.destroyed).toBe(true);
});

it("does not listen with a certificate that is not valid", async () => {
  const { mqtt } = await startTls();
  const tls = { ...certificate, cert: "no certificate" };
  await expect(mqtt.listen({ host: "127.0.0.1", port: 0, tls })).rejects.toThrow("PEM");
});
