import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { generate, type IPublishPacket, type Packet, parser } from "mqtt-packet";
import { onTestFinished } from "vitest";
import { matches } from "../src/topics/topics.ts";

interface Subscription {
  readonly filter: string;
  /** True if the client's own messages are skipped. */
  readonly isOthers: boolean;
}

interface Session {
  socket: Socket | null;
  subscriptions: Subscription[];
  /** Messages that the client has not acknowledged, by their packet identifiers. */
  readonly open: Map<number, IPublishPacket>;
  last: number;
}

const protocolVersion = 5;

/**
 * A broker that forwards everything to everyone, like Mosquitto without users: QoS 1, sessions and retained messages of MQTT 5, and
 * 0x10 in the PUBACK of a message without subscribers. Tests hold back its responses and cut its connections.
 */
export async function startPlainBroker() {
  const sessions = new Map<string, Session>();
  const retained = new Map<string, string>();
  const published: IPublishPacket[] = [];
  const logins: (readonly [string | undefined, string | undefined])[] = [];
  const held: (() => void)[] = [];
  const state = { isHolding: false };
  const write = (socket: Socket | null, packet: Packet): void =>
    void socket?.write(generate(packet, { protocolVersion }));
  const pass = (session: Session, { topic, payload, qos, properties }: IPublishPacket): void => {
    session.last += 1;
    const fields = { topic, payload, retain: false, ...(properties !== undefined && { properties }) };
    const packet: IPublishPacket = { cmd: "publish", ...fields, qos, dup: false, messageId: session.last };
    if (qos > 0) session.open.set(session.last, packet);
    write(session.socket, packet);
  };
  const route = (from: Session | null, packet: IPublishPacket): number => {
    published.push(packet);
    if (packet.retain) retained.set(packet.topic, packet.payload.toString());
    const isFor = (session: Session): boolean =>
      session.subscriptions.some(
        ({ filter, isOthers }) => matches(filter, packet.topic) && !(isOthers && session === from),
      );
    const receivers = [...sessions.values()].filter(isFor);
    for (const session of receivers) pass(session, packet);
    return receivers.length > 0 ? 0 : 0x10;
  };
  const answer = (socket: Socket, packet: Packet): void => {
    if (state.isHolding) held.push(() => write(socket, packet));
    else write(socket, packet);
  };
  const enter = (socket: Socket, clientId: string, isClean: boolean): Session => {
    const before = sessions.get(clientId);
    before?.socket?.destroy();
    const kept = isClean ? undefined : before;
    const session = kept ?? { socket, subscriptions: [], open: new Map<number, IPublishPacket>(), last: 0 };
    session.socket = socket;
    sessions.set(clientId, session);
    write(socket, { cmd: "connack", sessionPresent: kept !== undefined, reasonCode: 0 });
    for (const packet of session.open.values()) write(socket, { ...packet, dup: true });
    return session;
  };
  const handle = (socket: Socket, session: Session, packet: Packet): void => {
    if (packet.cmd === "publish") {
      const reasonCode = route(session, packet);
      if (packet.qos === 1) answer(socket, { cmd: "puback", messageId: packet.messageId ?? 0, reasonCode });
    } else if (packet.cmd === "puback") session.open.delete(packet.messageId ?? 0);
    else if (packet.cmd === "subscribe") {
      const added = packet.subscriptions.map(({ topic, nl = false }) => ({ filter: topic, isOthers: nl }));
      session.subscriptions = [...session.subscriptions, ...added];
      write(socket, { cmd: "suback", messageId: packet.messageId ?? 0, granted: added.map(() => 1) });
    } else if (packet.cmd === "pingreq") write(socket, { cmd: "pingresp" });
    else if (packet.cmd === "disconnect") socket.end();
  };
  const server = createServer((socket) => {
    let session: Session | null = null;
    const reader = parser({ protocolVersion });
    reader.on("packet", (packet) => {
      if (packet.cmd === "connect") {
        logins.push([packet.username, packet.password?.toString()]);
        session = enter(socket, packet.clientId, packet.clean ?? true);
      } else if (session !== null) handle(socket, session, packet);
    });
    socket.on("data", (bytes: Buffer) => void reader.parse(bytes));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (session?.socket === socket) session.socket = null;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const { socket } of sessions.values()) socket?.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    retained,
    published,
    logins,
    /** The connected clients. */
    connected: (): readonly string[] => [...sessions].flatMap(([id, { socket }]) => (socket === null ? [] : [id])),
    subscribers: (filter: string): number =>
      [...sessions.values()].filter(({ subscriptions }) => subscriptions.some((one) => one.filter === filter)).length,
    /** Publishes like a client without a session, and returns the code of the PUBACK. */
    publish: (topic: string, payload: string, userProperties?: Readonly<Record<string, string>>): number =>
      route(null, {
        cmd: "publish",
        topic,
        payload: Buffer.from(payload),
        qos: 1,
        dup: false,
        retain: false,
        ...(userProperties !== undefined && { properties: { userProperties } }),
      }),
    /** Messages that a session has not acknowledged. */
    unacknowledged: (clientId: string): number => sessions.get(clientId)?.open.size ?? 0,
    /** Holds the PUBACKs back. */
    hold: (isHolding: boolean): void => {
      state.isHolding = isHolding;
      if (!isHolding) for (const send of held.splice(0)) send();
    },
    stop(): void {
      server.close();
      cut();
    },
    async restart(): Promise<void> {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    /** Ends all connections, and drops the responses that were held back. */
    cut(): void {
      held.length = 0;
      cut();
    },
  };
}
