import type { Packet } from "mqtt-packet";
import { type Client, logIn, type LoginOptions, subscribe } from "./harness.ts";
import type { Server, Text } from "./installation.ts";

/** A device over MQTT, which reads its texts when the test says so. */
export interface MqttDevice {
  readonly server: Server;
  readonly client: Client;
  /** False once the device has noticed that the server has closed. */
  isOpen(): boolean;
  /** The texts since the last call, up to the response to a ping. Fewer if the server has closed. */
  look(): Promise<readonly Text[]>;
  /** Acknowledges texts. Resolves with true when they are stored as delivered; with false if the outcome is unknown. */
  acknowledge(texts: readonly Text[]): Promise<boolean>;
  /** Sends a text. Resolves with true when it is stored; with false if the connection ended first. */
  say(content: string, messageId: number, dup: boolean): Promise<boolean>;
}

interface Seen extends Text {
  readonly messageId: number;
}

interface MqttDeviceOptions {
  readonly server: Server;
  readonly token: string;
  readonly version: 4 | 5;
  /** The id of a text with this content: MQTT 3.1.1 has no property for it. */
  readonly idOf: (content: string) => number;
}

/** Logs in the device `kitchen`, and subscribes to its texts. */
export async function openDevice({ server, token, version, idOf }: MqttDeviceOptions): Promise<MqttDevice> {
  const login: LoginOptions = { version, username: "kitchen", password: token, clientId: "model", keepalive: 60_000 };
  const client = await logIn(server.port, login);
  await subscribe(client, "telex/kitchen/to");
  const seen: Seen[] = [];
  let looked = 0;
  let isOpen = true;
  /** Reads until `isLast` is true for a packet, or until the end. */
  const readTo = async (isLast: (packet: Packet) => boolean): Promise<boolean> => {
    for (;;) {
      const packet = await client.take().catch(() => null);
      if (packet === null || packet.cmd === "disconnect") return (isOpen = false);
      if (packet.cmd === "publish") {
        const content = packet.payload.toString();
        seen.push({ id: idOf(content), content, messageId: packet.messageId ?? 0 });
      } else if (isLast(packet)) return true;
    }
  };
  const ping = (): Promise<boolean> => {
    client.send({ cmd: "pingreq" });
    return readTo(({ cmd }) => cmd === "pingresp");
  };
  return {
    server,
    client,
    isOpen: () => isOpen,
    async look() {
      await ping();
      const texts = seen.slice(looked);
      looked = seen.length;
      return texts;
    },
    async acknowledge(texts) {
      const ids = new Set(texts.map(({ id }) => id));
      for (const { id, messageId } of seen) if (ids.has(id)) client.send({ cmd: "puback", messageId });
      return ping();
    },
    say(content, messageId, dup) {
      client.send({
        cmd: "publish",
        topic: "telex/kitchen/from",
        payload: content,
        qos: 1,
        messageId,
        dup,
        retain: false,
      });
      return readTo((packet) => packet.cmd === "puback" && packet.messageId === messageId);
    },
  };
}
