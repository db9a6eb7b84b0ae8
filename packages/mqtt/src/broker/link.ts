import { connect, type IClientOptions, type MqttClient } from "mqtt";
import type { IPublishPacket } from "mqtt-packet";
import { codes } from "../wire/codes.ts";

/** How Telex reaches a broker. */
export interface BrokerAddress {
  /** `mqtt:`, `mqtts:`, `ws:` or `wss:`, with the user name and the password, percent-encoded. */
  readonly url: string;
  /** The name of the client, under which the broker keeps what comes while Telex is away. */
  readonly clientId: string;
}

/** One connection to a broker, over MQTT 5. */
export interface BrokerLink {
  /** Resolves with the reason code of the broker's PUBACK; null if the connection ends first. QoS 0 resolves with 0. */
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

/** Handles a message of the broker, which is acknowledged afterwards. The next one waits. Must not reject. */
export type Receive = (packet: IPublishPacket) => Promise<void>;

const second = 1000;
const connectWait = 10 * second;
/** Seconds for which the broker keeps what comes while no server of Telex is connected. */
const sessionLife = 7 * 24 * 3600;
/** Messages of the broker on their way to Telex. */
const window = 20;
const mostOnTheirWay = 1000;

/** The address without the user name and the password, for logs. */
export function shownBroker(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

const schemes = { "mqtt:": "mqtt", "mqtts:": "mqtts", "ws:": "ws", "wss:": "wss" } as const;
const ports = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 } as const;

/** @throws TypeError for another scheme. It names no part of the address, which may have a password. */
function placeOf(url: string): IClientOptions {
  const { protocol, hostname, port, pathname, username, password } = new URL(url);
  const scheme = Object.entries(schemes).find(([name]) => name === protocol)?.[1];
  if (scheme === undefined) throw new TypeError("The address of a broker begins with mqtt:, mqtts:, ws: or wss:.");
  return {
    protocol: scheme,
    host: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port: port === "" ? ports[scheme] : Number(port),
    ...(scheme.startsWith("ws") && { path: pathname }),
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
  };
}

/** Resolves when the broker has admitted the client, with the number of messages of QoS 1 that it takes at a time. */
function admitted(client: MqttClient): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  client.once("connect", ({ properties }) =>
    resolve(Math.min(properties?.receiveMaximum ?? mostOnTheirWay, mostOnTheirWay)),
  );
  client.once("error", reject);
  client.once("close", () => reject(new Error("The broker has closed the connection.")));
  return promise;
}

/** Messages of QoS 1 wait for their turn: the client does not look at the Receive Maximum of the broker. */
function createPlaces(most: number) {
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

/** The callback of `publish` does not say the code of a PUBACK that is no failure. */
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
  const places = createPlaces(most);
  const send = ({ topic, payload, qos, retain, properties }: IPublishPacket): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const options = { qos, retain, ...(properties !== undefined && { properties }) };
    client.publish(topic, payload, options, (cause, packet) => {
      resolve(codeOf(packet?.messageId ?? 0) ?? (cause ? codes.unspecified : 0));
    });
    return promise;
  };
  const sendInTurn = async (packet: IPublishPacket): Promise<number> => {
    const turn = places.enter();
    if (turn !== null) await turn;
    return send(packet).finally(() => places.leave());
  };
  const gone = closed.then(() => null);
  return (packet) => Promise.race([packet.qos === 0 ? send(packet) : sendInTurn(packet), gone]);
}

/**
 * Connects to a broker.
 * @param isKept false for a connection that only tries: the broker keeps nothing for it
 * @throws Error if the broker is not reachable, or refuses the client
 */
export async function openLink({ url, clientId }: BrokerAddress, receive: Receive, isKept = true): Promise<BrokerLink> {
  const client = connect({
    ...placeOf(url),
    clientId,
    protocolVersion: 5,
    clean: !isKept,
    properties: { receiveMaximum: window, ...(isKept && { sessionExpiryInterval: sessionLife }) },
    // A new connection begins from what Telex has, so that no text is repeated that has expired in the meantime.
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
      // It waits for no acknowledgements: what is on its way is queued again.
      end: () => client.endAsync(true).catch(() => undefined),
    };
  } catch (cause) {
    client.end(true);
    throw cause;
  }
}
