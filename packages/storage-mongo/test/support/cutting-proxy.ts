import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { BSON, type Document } from "mongodb";
import { messagesOf } from "test-support/mongo-messages";
import { onTestFinished } from "vitest";

/** When the connection of a command is cut: before the server gets the command, or after the server has answered it. */
export type Moment = "before" | "after";

/** A TCP proxy in front of a database that cuts a connection at one command. */
export interface CuttingProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Lets the next `passing` commands pass and cuts the connection of the one after them, once. */
  readonly cutAt: (passing: number, moment: Moment) => void;
  /** Permanently cuts all connections before the next command with this name: the database never hears from this client again. */
  readonly loseAt: (command: string) => void;
  /** True after that. */
  readonly isLost: () => boolean;
  /** Holds back the next command with this name, for any collection or for one. Resolves when it has arrived, with a function that sends it on. */
  readonly holdAt: (command: string, collection?: string) => Promise<() => void>;
  /** The commands that were sent since the last `cutAt`. */
  readonly seen: readonly string[];
  /** Those of them for one collection. */
  readonly seenOn: (collection: string) => readonly string[];
  /** The documents of those with this name, without the lists that the driver sends separately. */
  readonly sent: (command: string) => readonly Document[];
}

/** Commands that drivers send without a call. `$cmd` is the greeting of a new connection. */
const own: ReadonlySet<string> = new Set(["$cmd", "hello", "ping", "endSessions", "abortTransaction"]);

const bodyStart = 21;

const textAt = (message: Buffer, start: number): string =>
  message.subarray(start, message.indexOf(0, start)).toString("latin1");

const nameStart = bodyStart + 5;

/** The name of the command in an OP_MSG: the first key of its document. */
const commandOf = (message: Buffer): string => textAt(message, nameStart);

const documentOf = (message: Buffer): Document =>
  BSON.deserialize(message.subarray(bodyStart), { allowObjectSmallerThanBufferSize: true });

/** The documents of a list that the driver sends after the document of a command. */
function listOf(message: Buffer, name: string): Document[] {
  const lists = bodyStart + message.readInt32LE(bodyStart);
  const start = message.indexOf(`${name}\0`, lists, "latin1");
  const documents: Document[] = [];
  // The length of a list includes itself and precedes the name.
  const end = start - 4 + message.readInt32LE(start - 4);
  for (let at = start + name.length + 1; at < end; at += message.readInt32LE(at))
    documents.push(BSON.deserialize(message.subarray(at), { allowObjectSmallerThanBufferSize: true }));
  return documents;
}

/** The collections of a command. Usually, the value of the first key is the name, after its length. */
function collectionsOf(message: Buffer): readonly string[] {
  if (commandOf(message) !== "bulkWrite") return [textAt(message, message.indexOf(0, nameStart) + 1 + 4)];
  return listOf(message, "nsInfo").map(({ ns }) => String(ns).slice(String(ns).indexOf(".") + 1));
}

/** Decides what happens to each command of a client. */
interface Plan {
  passing: number;
  moment: Moment;
  seen: string[];
  /** The collections of each command in `seen`. */
  collections: (readonly string[])[];
  messages: Buffer[];
  lostAt: string | null;
  held: {
    readonly command: string;
    readonly collection: string | undefined;
    readonly came: (sendOn: () => void) => void;
  } | null;
  readonly lose: () => void;
}

/** Forwards one connection until the plan cuts it. */
function pass(client: Socket, server: Socket, plan: Plan): void {
  let isLast = false;
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
  const toServer = messagesOf((message) => {
    const command = commandOf(message);
    if (own.has(command)) return void server.write(message);
    if (command === plan.lostAt) return plan.lose();
    const collections = collectionsOf(message);
    plan.seen.push(command);
    plan.collections.push(collections);
    plan.messages.push(message);
    const isCut = plan.seen.length === plan.passing + 1;
    if (isCut && plan.moment === "before") return end();
    isLast = isCut;
    const { held } = plan;
    const isHeld = held?.command === command && collections.includes(held.collection ?? collections[0] ?? "");
    if (held === null || !isHeld) return void server.write(message);
    held.came(() => void server.write(message));
    plan.held = null;
  });
  const toClient = messagesOf((message) => {
    if (isLast) end();
    else client.write(message);
  });
  client.on("data", toServer);
  server.on("data", toClient);
}

/** Starts a proxy that ends with the test. */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const lose = (): void => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  const none = { seen: [], collections: [], messages: [], lostAt: null, held: null };
  const plan: Plan = { passing: Number.POSITIVE_INFINITY, moment: "before", ...none, lose };
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    sockets.add(client).add(server);
    pass(client, server, plan);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(lose);
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("A proxy without a port.");
  return {
    // Without it, the driver would ask the database for its address, and bypass the proxy.
    url: `mongodb://127.0.0.1:${address.port}${target.pathname}?directConnection=true`,
    cutAt(passing, moment) {
      Object.assign(plan, { passing, moment, seen: [], collections: [], messages: [] });
    },
    loseAt: (command) => void (plan.lostAt = command),
    isLost: () => !proxy.listening,
    holdAt: (command, collection) => new Promise((came) => (plan.held = { command, collection, came })),
    get seen() {
      return plan.seen;
    },
    seenOn: (collection) => plan.seen.filter((_command, index) => plan.collections[index]?.includes(collection)),
    sent: (command) => plan.messages.filter((message) => commandOf(message) === command).map(documentOf),
  };
}
