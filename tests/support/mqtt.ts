import { generate, type IConnectPacket, type IPublishPacket, type Packet, parser } from "mqtt-packet";
import { WebSocket } from "ws";

/** A device that is logged in over MQTT 5, over WebSocket. */
export interface MqttDevice {
  /** Acknowledges a text. */
  readonly acknowledge: (packetId: number) => void;
  /** True when the server has answered a ping, and so has handled everything that was sent before; false if the connection ended first. */
  readonly ping: () => Promise<boolean>;
  /** Publishes a text with QoS 1. True when the server has stored it; false if the connection ended first. */
  readonly say: (text: string, packetId: number, isRepeat: boolean) => Promise<boolean>;
  /** Says goodbye, or only closes. */
  readonly close: (isPolite: boolean) => void;
  readonly ended: Promise<void>;
}

/** A text on its way to a device. */
export interface MqttText {
  readonly id: number;
  readonly content: string;
  readonly packetId: number;
}

export interface MqttOptions {
  /** The address of the server over HTTP. */
  readonly url: string;
  readonly deviceId: string;
  readonly token: string;
  readonly onText: (text: MqttText) => void;
}

const protocolVersion = 5;

const textOf = ({ payload, messageId = 0, properties }: IPublishPacket): MqttText => ({
  id: Number(properties?.userProperties?.["id"]),
  content: payload.toString(),
  packetId: messageId,
});

/** Promises of answers, by name. Pending ones get null when the connection ends. */
function createAnswers() {
  const waiting = new Map<string, (packet: Packet | null) => void>();
  let isOver = false;
  return {
    wait: (name: string): Promise<Packet | null> =>
      isOver ? Promise.resolve(null) : new Promise((resolve) => void waiting.set(name, resolve)),
    give(name: string, packet: Packet): void {
      waiting.get(name)?.(packet);
      waiting.delete(name);
    },
    end(): void {
      isOver = true;
      for (const resolve of waiting.values()) resolve(null);
    },
  };
}

const connectPacket = (deviceId: string, token: string): IConnectPacket => ({
  cmd: "connect",
  protocolId: "MQTT",
  protocolVersion,
  clean: true,
  clientId: `client of ${deviceId}`,
  keepalive: 60,
  username: deviceId,
  password: Buffer.from(token),
});

const nameOf = ({ cmd, messageId = 0 }: Packet): string => `${cmd} ${messageId}`;

const isGranted = (packet: Packet | null): boolean => packet?.cmd === "suback" && packet.granted[0] === 1;
const isTaken = (packet: Packet | null): boolean => packet?.cmd === "puback" && (packet.reasonCode ?? 0) === 0;

/** Unlike `once` of Node, it does not reject when an error comes first. */
const when = (socket: WebSocket, event: "open" | "close"): Promise<void> =>
  new Promise((resolve) => void socket.once(event, () => resolve()));

/** Opens a WebSocket at `/mqtt`; null if the server refuses it or is gone. */
async function open(url: string): Promise<WebSocket | null> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/mqtt`, "mqtt");
  // The event `close` follows.
  socket.on("error", () => undefined);
  await Promise.race([when(socket, "open"), when(socket, "close")]);
  return socket.readyState === WebSocket.OPEN ? socket : null;
}

/** Sends packets, and finds their answers. */
function createDialogue(socket: WebSocket, onText: MqttOptions["onText"]) {
  const answers = createAnswers();
  const reader = parser({ protocolVersion });
  reader.on("packet", (packet) => {
    if (packet.cmd === "publish") onText(textOf(packet));
    else answers.give(nameOf(packet), packet);
  });
  socket.on("message", (bytes: Buffer) => void reader.parse(bytes));
  const send = (packet: Packet): void => socket.send(generate(packet, { protocolVersion }));
  return {
    send,
    ended: when(socket, "close").then(() => answers.end()),
    ask: (packet: Packet, answer: string): Promise<Packet | null> => {
      send(packet);
      return answers.wait(answer);
    },
  };
}

type Dialogue = ReturnType<typeof createDialogue>;

async function subscribe({ ask }: Dialogue, { deviceId, token }: MqttOptions): Promise<boolean> {
  const admitted = await ask(connectPacket(deviceId, token), "connack 0");
  if (admitted?.cmd !== "connack" || admitted.reasonCode !== 0) return false;
  const subscriptions = [{ topic: `telex/${deviceId}/to`, qos: 1 as const }];
  return isGranted(await ask({ cmd: "subscribe", messageId: 1, subscriptions }, "suback 1"));
}

/** Logs a device in, and subscribes to its texts with QoS 1; null if that fails or the connection ends first. */
export async function openMqtt(options: MqttOptions): Promise<MqttDevice | null> {
  const socket = await open(options.url);
  if (socket === null) return null;
  const dialogue = createDialogue(socket, options.onText);
  const { ask, send, ended } = dialogue;
  if (!(await subscribe(dialogue, options))) {
    socket.terminate();
    return null;
  }
  return {
    acknowledge: (messageId) => send({ cmd: "puback", messageId }),
    ping: async () => (await ask({ cmd: "pingreq" }, "pingresp 0")) !== null,
    async say(payload, messageId, dup) {
      const topic = `telex/${options.deviceId}/from`;
      const packet = { cmd: "publish", topic, payload, qos: 1, messageId, dup, retain: false } as const;
      return isTaken(await ask(packet, `puback ${messageId}`));
    },
    close(isPolite) {
      if (isPolite) send({ cmd: "disconnect", reasonCode: 0 });
      else socket.terminate();
    },
    ended,
  };
}
