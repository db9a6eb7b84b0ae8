import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { messagesOf } from "./mongo-messages.ts";
import { portOf } from "./port.ts";

/** Where the document of a response begins, by the kind of the message: OP_REPLY and OP_MSG. */
const documentAt: ReadonlyMap<number, number> = new Map([
  [1, 36],
  [2013, 21],
]);

/** `msg: "isdbgrid"`, by which a driver knows a router, as an element of BSON. */
const mark = Buffer.from("\u0002msg\0\u0009\0\0\0isdbgrid\0", "latin1");

/** The names of the fields by which a driver knows a member of a replica set, and names of the same length that mean nothing. */
const renamed = ["setName", "setVersion", "hosts"].map(
  (name) => [`${name}\0`, `${"x".repeat(name.length)}\0`] as const,
);

/** The response to a greeting as a router gives it; every other message as it is. */
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

/** A server of MongoDB that calls itself the router of a sharded cluster. Nothing is sharded. */
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
