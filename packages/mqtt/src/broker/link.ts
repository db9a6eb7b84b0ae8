import { connect, type IClientOptions, type MqttClient } from "mqtt";
import type { IPublishPacket } from "mqtt-packet";
import { codes } from "../wire/codes.ts";

/** The address of a broker, and the client identifier of Telex there. */
export interface BrokerAddress {
  /** `mqtt:`, `mqtts:`, `ws:` or `wss:`, with the user name and the password, percent-encoded. */
  readonly url: string;
  /** The broker keeps messages for this client while Telex is not connected. */
  readonly clientId: string;
}

/** One connection to a broker, over MQTT 5. */
export interface BrokerLink {
  /** Resolves with the reason code of the broker's PUBACK; null if the connection ends first. For QoS 0, resolves with 0. */
  readonly publish: (packet: IPublishPacket) => Promise<number | null>;
  /**
   * Subscribes to filters with QoS 1, without retained messages and without those of this client.
   * @throws Error if the broker refuses one
   */
  readonly subscribe: (filters: readonly string[]) => Promise<void>;
  /** Resolves when the connection has ended. Never rejects. */
  readonly closed: Promise<void>;
  readonly end: () => Promise<void>;
}

/** Handles a message of the broker, which is acknowledged afterwards. The next message waits. Must not reject. */
export type Receive = (packet: IPublishPacket) => Promise<void>;

const second = 1000;
const connectWait = 10 * second;
/** Seconds that the broker keeps messages while no Telex server is connected. */
const sessionLife = 7 * 24 * 3600;
/** Maximum unacknowledged messages from the broker. */
const window = 20;
const mostUnacknowledged = 1000;

/** The address without the user name and the password, for logs. */
export function shownBroker(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

const schemes = { "mqtt:": "mqtt", "mqtts:": "mqtts", "ws:": "ws", "wss:": "wss" } as const;
const ports = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 } as const;

/** @throws TypeError for another scheme. The error contains no part of the address, which may have a password. */
function clientOptionsOf(url: string): IClientOptions {
  const { protocol, hostname, port, pathname, username, password } = new URL(url);
  const scheme = Object.entries(schemes).find(([name]) => name === protocol)?.[1];
  if (scheme === undefined) throw new TypeError("The address of a broker must begin with mqtt:, mqtts:, ws: or wss:.");
  return {
    protocol: scheme,
    host: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port: port === "" ? ports[scheme] : Number(port),
    ...(scheme.startsWith("ws") && { path: pathname }),
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
  };
}

/** Resolves when the broker has admitted the client, with the number of unacknowledged QoS 1 messages that it accepts. */
function admitted(client: MqttClient): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  client.once("connect", ({ properties }) =>
    resolve(Math.min(properties?.receiveMaximum ?? mostUnacknowledged, mostUnacknowledged)),
  );
  client.once("error", reject);
  client.once("close", () => reject(new Error("The broker has closed the connection.")));
  return promise;
}

/** Limits unacknowledged QoS 1 messages, because the client ignores the Receive Maximum of the broker. */
function createSlots(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    enter(): Promise<void> | null {
      free -= 1;
      return free >= 0 ? null : new Promise((resolve) => void waiting.push(resolve));
    },
    leave(): void {
      free += 1;
      waiting.shift()?.();
    },
  };
}

/** Records codes of PUBACK, because the callback of `publish` does not get codes that are not failures. */
function watchCodes(client: MqttClient) {
  const codesById = new Map<number, number>();
  client.on("packetreceive", (packet) => {
    if (packet.cmd === "puback") codesById.set(packet.messageId ?? 0, packet.reasonCode ?? 0);
  });
  return (messageId: number): number | undefined => {
    const code = codesById.get(messageId);
    codesById.delete(messageId);
    return code;
  };
}

function createPublish(client: MqttClient, closed: Promise<void>, most: number): BrokerLink["publish"] {
  const codeOf = watchCodes(client);
  const slots = createSlots(most);
  const send = ({ topic, payload, qos, retain, properties }: IPublishPacket): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const options = { qos, retain, ...(properties !== undefined && { properties }) };
    client.publish(topic, payload, options, (cause, packet) => {
      resolve(codeOf(packet?.messageId ?? 0) ?? (cause ? codes.unspecified : 0));
    });
    return promise;
  };
  const sendInTurn = async (packet: IPublishPacket): Promise<number> => {
    const turn = slots.enter();
    if (turn !== null) await turn;
    return send(packet).finally(() => slots.leave());
  };
  const gone = closed.then(() => null);
  return (packet) => Promise.race([packet.qos === 0 ? send(packet) : sendInTurn(packet), gone]);
}

/**
 * Connects to a broker.
 * @param isKept false for a connection that is only a test: the broker keeps nothing for it
 * @throws Error if the broker is not reachable, or refuses the client
 */
export async function openLink({ url, clientId }: BrokerAddress, receive: Receive, isKept = true): Promise<BrokerLink> {
  const client = connect({
    ...clientOptionsOf(url),
    clientId,
    protocolVersion: 5,
    clean: !isKept,
    properties: { receiveMaximum: window, ...(isKept && { sessionExpiryInterval: sessionLife }) },
    // Telex itself connects and publishes again, so that texts that have expired are not repeated.
    reconnectPeriod: 0,
    resubscribe: false,
    connectTimeout: connectWait,
    keepalive: 30,
  });
  const take = async (packet: IPublishPacket, done: () => void): Promise<void> => {
    await receive(packet);
    done();
  };
  client.handleMessage = (packet, done) => void take(packet, done);
  // After an error, `close` follows.
  client.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => void client.once("close", () => resolve()));
  try {
    const most = await admitted(client);
    return {
      publish: createPublish(client, closed, most),
      async subscribe(filters) {
        const wanted = Object.fromEntries(filters.map((filter) => [filter, { qos: 1, nl: true, rh: 2 } as const]));
        await client.subscribeAsync(wanted);
      },
      closed,
      // Does not wait for acknowledgements, because unacknowledged texts are queued again.
      end: () => client.endAsync(true).catch(() => undefined),
    };
  } catch (cause) {
    client.end(true);
    throw cause;
  }
}
