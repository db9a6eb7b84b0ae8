import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { BSON, type Document } from "mongodb";
import { messagesOf } from "test-support/mongo-messages";
import { portOf } from "test-support/port";
import { onTestFinished } from "vitest";

/** A TCP proxy that acts as a deposed primary. */
export interface DeposedProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Sends later reads to the server `old`: like a deposed primary, it does not know later changes. */
  readonly depose: () => void;
}

/** The offset of the document in an OP_MSG, after its header, its flags and the kind of its first section. */
const documentAt = 21;
const opMsg = 2013;

const isLinearizable = ({ readConcern }: Document): boolean =>
  JSON.stringify(readConcern)?.includes("linearizable") ?? false;

/** Starts a proxy in front of the database at `url` that ends with the test. `old` is another server with a copy. */
export async function startDeposedProxy(url: string, old: string): Promise<DeposedProxy> {
  const sockets = new Set<Socket>();
  let isDeposed = false;
  const open = (address: string): Socket => connect(Number(new URL(address).port), new URL(address).hostname);
  const join = (client: Socket): void => {
    const [primary, deposed] = [open(url), open(old)];
    const end = (): void => [client, primary, deposed].forEach((socket) => socket.destroy());
    for (const socket of [client, primary, deposed]) sockets.add(socket.on("error", end).on("close", end));
    const pass = (message: Buffer): void => {
      // The greeting of a new connection is an OP_QUERY.
      const isCommand = isDeposed && message.readInt32LE(12) === opMsg;
      const command = isCommand
        ? BSON.deserialize(message.subarray(documentAt), { allowObjectSmallerThanBufferSize: true })
        : {};
      // A deposed primary asks a majority whether it is the primary, and gets no response.
      if (isLinearizable(command)) end();
      else if ("find" in command) deposed.write(message);
      else primary.write(message);
    };
    client.on("data", messagesOf(pass));
    for (const server of [primary, deposed])
      server.on(
        "data",
        messagesOf((message) => void client.write(message)),
      );
  };
  const proxy = createServer(join).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `mongodb://127.0.0.1:${portOf(proxy)}${new URL(url).pathname}?directConnection=true`,
    depose: () => void (isDeposed = true),
  };
}
