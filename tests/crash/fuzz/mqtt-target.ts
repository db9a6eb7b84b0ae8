import { once } from "node:events";
import { connect } from "node:net";
import { generate, type IConnectPacket, type Packet, parser } from "mqtt-packet";
import type { FuzzTarget } from "./fuzzer.ts";

interface MqttGround {
  readonly port: number;
  readonly token: string;
  /** A device of the owner of the token. */
  readonly deviceId: string;
}

type Version = 4 | 5;

const connectPacket = (
  { token, deviceId }: MqttGround,
  protocolVersion: Version,
  clientId: string,
): IConnectPacket => ({
  cmd: "connect",
  protocolId: "MQTT",
  protocolVersion,
  clean: true,
  clientId,
  keepalive: 60,
  username: deviceId,
  password: Buffer.from(token),
});

/** The first byte of an input: its bits say whether a login comes first, and in which version. */
const first = { login: 1, old: 2 } as const;

function seedsOf(ground: MqttGround): readonly Buffer[] {
  const to = `telex/${ground.deviceId}/to`;
  const from = `telex/${ground.deviceId}/from`;
  const publish = {
    cmd: "publish",
    topic: from,
    payload: "hello",
    qos: 1,
    dup: false,
    retain: false,
    messageId: 5,
  } as const;
  const packets: readonly Packet[] = [
    { cmd: "subscribe", messageId: 1, subscriptions: [{ topic: to, qos: 1, nl: false, rap: false, rh: 1 }] },
    {
      ...publish,
      properties: { userProperties: { nonce: "n" }, messageExpiryInterval: 60, payloadFormatIndicator: true },
    },
    { ...publish, topic: `telex/${ground.deviceId}/status`, payload: "offline", qos: 0 },
    { cmd: "puback", messageId: 1, reasonCode: 0 },
    { cmd: "unsubscribe", messageId: 2, unsubscriptions: [to] },
    { cmd: "pingreq" },
    { cmd: "disconnect", reasonCode: 4, properties: { reasonString: "bye" } },
  ];
  const all = (version: Version): Buffer =>
    Buffer.concat(packets.map((one) => generate(one, { protocolVersion: version })));
  const raw = generate({
    ...connectPacket(ground, 5, "fuzz"),
    properties: { receiveMaximum: 10, userProperties: { a: "b" }, sessionExpiryInterval: 9 },
    will: { topic: from, payload: Buffer.from("gone"), qos: 1, retain: false, properties: { willDelayInterval: 1 } },
  });
  const seeds = [
    [first.login, all(5)],
    [first.login | first.old, all(4)],
    [0, raw],
  ] as const;
  return seeds.map(([head, bytes]) => Buffer.concat([Buffer.from([head]), bytes]));
}

/** A connection that must be answered regardless of the input of others. */
async function openNeighbour(ground: MqttGround) {
  const socket = connect(ground.port, "127.0.0.1");
  const reader = parser({ protocolVersion: 5 });
  let answered = (): void => undefined;
  let failed = (_cause: Error): void => undefined;
  reader.on("packet", () => answered());
  socket.once("close", () => failed(new Error("the connection of another client has ended")));
  socket.on("data", (bytes) => void reader.parse(Buffer.from(bytes)));
  const ask = (packet: Packet): Promise<void> =>
    new Promise((resolve, reject) => {
      answered = resolve;
      failed = reject;
      socket.write(generate(packet, { protocolVersion: 5 }));
    });
  await ask({ ...connectPacket(ground, 5, "neighbour"), username: "user" });
  return { ping: () => ask({ cmd: "pingreq" }), close: () => void socket.destroy() };
}

/** Packets of MQTT, over a new connection, or over one of a device that has logged in. */
export async function mqttTarget(ground: MqttGround): Promise<{ readonly target: FuzzTarget; close(): void }> {
  const neighbour = await openNeighbour(ground);
  const target: FuzzTarget = {
    name: "mqtt",
    seeds: seedsOf(ground),
    async run(input) {
      const [head = 0] = input;
      const version = (head & first.old) === 0 ? 5 : 4;
      const socket = connect(ground.port, "127.0.0.1");
      // The event `close` follows.
      socket.on("error", () => undefined).resume();
      const login = generate(connectPacket(ground, version, "fuzz"), { protocolVersion: version });
      if ((head & first.login) !== 0) socket.write(login);
      socket.end(input.subarray(1));
      await once(socket, "close");
      await neighbour.ping();
    },
  };
  return { target, close: neighbour.close };
}
