import { connect, type Socket } from "node:net";
import { createMemoryBlobs } from "@telex/blobs/memory";
import type { Clock, Limits, Storage, Telex } from "@telex/core";
import { createScene, type LogCollector, type Scene } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { generate, type IConnectPacket, type Packet, parser } from "mqtt-packet";
import { onTestFinished } from "vitest";
import { createInbox } from "test-support/raw-socket";
import { createMqtt, type Mqtt, type MqttOptions } from "../src/index.ts";

export interface StartOptions {
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  readonly mqtt?: MqttOptions;
  readonly storage?: Storage;
}

export interface Running extends Pick<Scene, "person" | "caller" | "issue" | "room"> {
  readonly telex: Telex;
  readonly mqtt: Mqtt;
  readonly log: LogCollector;
  readonly port: number;
}

/** A Telex with MQTT on its own port, until the end of the test. */
export async function startMqtt(options: StartOptions = {}): Promise<Running> {
  const { telex, log, person, caller, issue, room } = await createScene({
    storage: options.storage ?? createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    limits: options.limits ?? {},
    ...(options.clock !== undefined && { clock: options.clock }),
  });
  const mqtt = createMqtt(telex, options.mqtt);
  const port = await mqtt.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await mqtt.close(telex.clock.now());
    await telex.close();
  });
  return { telex, mqtt, log, port, person, caller, issue, room };
}

type Version = 4 | 5;
type PacketOf<C extends Packet["cmd"]> = Extract<Packet, { readonly cmd: C }>;

/** A client that collects its packets until the test reads them. */
export interface Client {
  readonly socket: Socket;
  readonly send: (packet: Packet) => void;
  /** The next packet, which must be of this kind. */
  readonly next: <C extends Packet["cmd"]>(cmd: C) => Promise<PacketOf<C>>;
  /** The next packet of any kind. */
  readonly take: () => Promise<Packet>;
  /** Resolves when the server has closed. */
  readonly closed: Promise<"closed">;
  /** The packets that have arrived and were not read. */
  readonly waiting: () => number;
}

/** A client over the byte stream of a socket or a WebSocket. */
export function readPackets(protocolVersion: Version) {
  const inbox = createInbox<Packet>();
  const reader = parser({ protocolVersion });
  reader.on("packet", (packet) => inbox.put(packet));
  return {
    push: (bytes: Buffer) => void reader.parse(bytes),
    waiting: () => inbox.kept.length,
    take: () => inbox.take(),
    end: () => inbox.end(new Error("The connection has ended.")),
    next: async <C extends Packet["cmd"]>(cmd: C): Promise<PacketOf<C>> => {
      const packet = await inbox.take();
      if (packet.cmd !== cmd) throw new Error(`${cmd} was expected, and this came: ${JSON.stringify(packet)}`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the line above checks it
      return packet as PacketOf<C>;
    },
  };
}

/**
 * A bare connection, which is closed after the test.
 * @param version null if packets from the server are not parsed
 */
export function openRaw(port: number, version: Version | null = 5): Client {
  const socket = connect(port, "127.0.0.1");
  const packets = readPackets(version ?? 5);
  socket.on("data", version === null ? () => undefined : packets.push);
  socket.on("error", () => undefined);
  socket.on("close", packets.end);
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    send: (packet) => void socket.write(generate(packet, { protocolVersion: version ?? 5 })),
    next: packets.next,
    take: packets.take,
    waiting: packets.waiting,
    closed: new Promise((resolve) => socket.on("close", () => resolve("closed"))),
  };
}

export interface LoginOptions extends Partial<Omit<IConnectPacket, "cmd" | "password" | "protocolVersion">> {
  readonly version?: Version;
  readonly username: string;
  readonly password: string;
}

export const connectPacket = ({ version = 5, password, ...rest }: LoginOptions): IConnectPacket => ({
  cmd: "connect",
  protocolId: "MQTT",
  protocolVersion: version,
  clean: true,
  clientId: "client",
  keepalive: 60,
  ...rest,
  password: Buffer.from(password),
});

/** Connects, and returns the client and its CONNACK. */
export async function tryLogin(port: number, login: LoginOptions) {
  const client = openRaw(port, login.version);
  client.send(connectPacket(login));
  return { client, answer: await client.next("connack") };
}

/** A logged-in client. */
export async function logIn(port: number, login: LoginOptions): Promise<Client> {
  const { client, answer } = await tryLogin(port, login);
  const code = answer.reasonCode ?? answer.returnCode;
  if (code !== 0) throw new Error(`The login was refused with ${code}.`);
  return client;
}

let lastId = 0;

/** Subscribes to one filter, and returns the quality of service, or the reason for a refusal. */
export async function subscribe(client: Client, topic: string, qos: 0 | 1 | 2 = 1): Promise<unknown> {
  lastId = (lastId % 60_000) + 1;
  client.send({ cmd: "subscribe", messageId: lastId, subscriptions: [{ topic, qos }] });
  return (await client.next("suback")).granted[0];
}

/** Publishes with QoS 1, and returns the reason code of the PUBACK. */
export async function publish(
  client: Client,
  topic: string,
  payload: string | Buffer,
  rest: Partial<PacketOf<"publish">> = {},
): Promise<number | undefined> {
  lastId = (lastId % 60_000) + 1;
  client.send({ cmd: "publish", topic, payload, qos: 1, dup: false, retain: false, messageId: lastId, ...rest });
  return (await client.next("puback")).reasonCode;
}

/** A Telex with MQTT, and a device `kitchen`. */
export async function withDevice(options: StartOptions = {}) {
  const running = await startMqtt(options);
  const { telex } = running;
  const alice = await running.person("Alice");
  const caller = await running.caller(alice);
  await telex.teleprinter.register(caller, { deviceId: "kitchen", name: "Kitchen" });
  const login = { username: "kitchen", password: alice.token };
  const send = async (content: string) => (await telex.teleprinter.send(caller, { deviceId: "kitchen", content })).id;
  const texts = async () => (await telex.teleprinter.messages(caller, { deviceId: "kitchen", pageSize: 100 })).messages;
  const said = async () =>
    (await texts()).filter(({ direction }) => direction === "from_device").map(({ content }) => content);
  const waiting = async () => (await texts()).filter(({ delivered }) => delivered === 0).length;
  const poll = () => telex.teleprinter.poll(caller, { deviceId: "kitchen" });
  return { ...running, alice, caller, login, send, said, waiting, poll };
}
