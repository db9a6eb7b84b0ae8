import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { generate, type Packet, parser } from "mqtt-packet";
import { percentile } from "./statistics.ts";

/** A broker or a Telex server, and the topics between a sender and a device. */
export interface Broker {
  readonly port: number;
  readonly sender: Login;
  readonly device: Login;
  /** The topic that the sender publishes to. */
  readonly send: string;
  /** The topic that the device subscribes to. */
  readonly to: string;
}

export interface Login {
  readonly username?: string;
  readonly password?: string;
}

interface Client {
  readonly socket: Socket;
  send(packet: Packet): void;
  /** Called for each packet. */
  onPacket: (packet: Packet) => void;
}

/** Logs in with MQTT 3.1.1 and a separate session. */
export async function openMqtt(port: number, clientId: string, { username, password }: Login): Promise<Client> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  const reader = parser({ protocolVersion: 4 });
  const client: Client = {
    socket,
    send: (packet) => void socket.write(generate(packet, { protocolVersion: 4 })),
    onPacket: () => undefined,
  };
  reader.on("packet", (packet) => client.onPacket(packet));
  socket.on("data", (bytes) => void reader.parse(typeof bytes === "string" ? Buffer.from(bytes) : bytes));
  const accepted = new Promise<void>((resolve) => {
    client.onPacket = () => resolve();
  });
  const login = username === undefined || password === undefined ? {} : { username, password: Buffer.from(password) };
  const session = { clientId, clean: false, keepalive: 600 };
  client.send({ cmd: "connect", protocolId: "MQTT", protocolVersion: 4, ...session, ...login });
  await accepted;
  return client;
}

/** Connects the device, which acknowledges every text. */
async function openDevice({ port, device, to }: Broker, received: () => void): Promise<Client> {
  const client = await openMqtt(port, "device", device);
  client.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: to, qos: 1 }] });
  await once(client.socket, "data");
  client.onPacket = (packet) => {
    if (packet.cmd !== "publish" || packet.messageId === undefined) return;
    client.send({ cmd: "puback", messageId: packet.messageId });
    received();
  };
  return client;
}

/**
 * Sends texts to a device that is connected and acknowledges each. `send`: from a publish to its PUBACK. `through`: from a publish to the
 * device. `ack`: from the acknowledgement of the device and a ping, to the answer to the ping, which Telex sends when the acknowledgement is stored.
 */
export async function sendThrough(broker: Broker, total: number, inFlight: number): Promise<Record<string, number>> {
  const sentAt: number[] = [];
  const [sends, throughs, acks]: [number[], number[], number[]] = [[], [], []];
  const over = Promise.withResolvers<void>();
  const device = await openDevice(broker, () => {
    throughs.push(performance.now() - (sentAt[throughs.length] ?? 0));
    if (throughs.length % 10 === 0) ping();
    if (throughs.length === total) over.resolve();
  });
  const take = device.onPacket;
  const pings: number[] = [];
  const ping = (): void => {
    pings.push(performance.now());
    device.send({ cmd: "pingreq" });
  };
  device.onPacket = (packet) => {
    if (packet.cmd === "pingresp") acks.push(performance.now() - (pings[acks.length] ?? 0));
    else take(packet);
  };
  const sender = await openMqtt(broker.port, "sender", broker.sender);
  const answered = Promise.withResolvers<void>();
  const send = (): void => {
    if (sentAt.length >= total) return;
    sentAt.push(performance.now());
    const payload = `a short line of text ${sentAt.length}`;
    const messageId = ((sentAt.length - 1) % 65_535) + 1;
    sender.send({ cmd: "publish", topic: broker.send, payload, qos: 1, messageId, dup: false, retain: false });
  };
  sender.onPacket = ({ cmd }) => {
    if (cmd !== "puback") return;
    sends.push(performance.now() - (sentAt[sends.length] ?? 0));
    send();
    if (sends.length === total) answered.resolve();
  };
  const began = performance.now();
  for (let index = 0; index < inFlight; index += 1) send();
  await Promise.all([answered.promise, over.promise]);
  const seconds = (performance.now() - began) / 1000;
  for (const { socket } of [sender, device]) socket.destroy();
  return {
    "texts/s": total / seconds,
    "send p50 ms": percentile(sends, 0.5),
    "send p99 ms": percentile(sends, 0.99),
    "through p50 ms": percentile(throughs, 0.5),
    "ack p50 ms": percentile(acks, 0.5),
    "ack p99 ms": percentile(acks, 0.99),
  };
}
