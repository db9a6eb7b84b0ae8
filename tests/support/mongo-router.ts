import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { messagesOf } from "./mongo-messages.ts";
import { portOf } from "./port.ts";

/** The offset of the document in a response, by the kind of the message: OP_REPLY and OP_MSG. */
const documentAt: ReadonlyMap<number, number> = new Map([
  [1, 36],
  [2013, 21],
]);

/** `msg: "isdbgrid"` as an element of BSON. Drivers recognize a router by it. */
const mark = Buffer.from("\u0002msg\0\u0009\0\0\0isdbgrid\0", "latin1");

/** The fields by which drivers recognize a member of a replica set, with meaningless names of the same length. */
const renamed = ["setName", "setVersion", "hosts"].map(
  (name) => [`${name}\0`, `${"x".repeat(name.length)}\0`] as const,
);

/** Turns the response to a greeting into that of a router. Other messages stay unchanged. */
function asRouter(message: Buffer): Buffer {
  const start = documentAt.get(message.readInt32LE(12));
  if (start === undefined || !message.includes("setName\0")) return message;
  const changed = Buffer.concat([message.subarray(0, start + 4), mark, message.subarray(start + 4)]);
  for (const at of [0, start]) changed.writeInt32LE(changed.readInt32LE(at) + mark.length, at);
  for (const [name, other] of renamed) {
    const at = changed.indexOf(name);
    if (at >= 0) changed.write(other, at, "latin1");
  }
  return changed;
}

function join(client: Socket, server: Socket): void {
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
  client.pipe(server);
  server.on(
    "data",
    messagesOf((message) => void client.write(asRouter(message))),
  );
}

/** A server of MongoDB that poses as the router of a sharded cluster, without any sharding. */
export interface MongoRouter {
  /** Host and port. */
  readonly host: string;
  readonly close: () => void;
}

/** Puts a router in front of the server at this address. */
export async function startMongoRouter(url: string): Promise<MongoRouter> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    sockets.add(client).add(server);
    join(client, server);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    host: `127.0.0.1:${portOf(proxy)}`,
    close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
