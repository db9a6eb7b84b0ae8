import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { messagesOf } from "test-support/mongo-messages";
import { onTestFinished } from "vitest";

/** When the connection of a command is cut: before the server gets the command, or after the server has answered it. */
export type Moment = "before" | "after";

/** A TCP proxy in front of a database that cuts a connection at one command. */
export interface CuttingProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Cuts the connection of the command after `passing` others from now on, once. */
  readonly cutAt: (passing: number, moment: Moment) => void;
  /** Cuts all connections before the next command with this name, for good: the database never hears of this client again. */
  readonly loseAt: (command: string) => void;
  /** Holds the next command with this name, once. Resolves when it has come, with what sends it on. */
  readonly holdAt: (command: string) => Promise<() => void>;
  /** The commands that were sent since the last `cutAt`. */
  readonly seen: readonly string[];
  /** Those of them that were for a collection. */
  readonly seenOn: (collection: string) => readonly string[];
}

/** What drivers send on their own account. `$cmd` is the greeting of a new connection. */
const own: ReadonlySet<string> = new Set(["$cmd", "hello", "ping", "endSessions", "abortTransaction"]);

const bodyStart = 21;

const textAt = (message: Buffer, start: number): string =>
  message.subarray(start, message.indexOf(0, start)).toString("latin1");

const nameStart = bodyStart + 5;

/** The name of the command in an OP_MSG: the first key of its document. */
const commandOf = (message: Buffer): string => textAt(message, nameStart);

/** The collection of a command that has one: the value of the first key, after its length. */
const collectionOf = (message: Buffer): string => textAt(message, message.indexOf(0, nameStart) + 1 + 4);

/** Decides about each command of a client. */
interface Plan {
  passing: number;
  moment: Moment;
  seen: string[];
  /** The collection of each command in `seen`. */
  collections: string[];
  lostAt: string | null;
  held: { readonly command: string; readonly came: (sendOn: () => void) => void } | null;
  readonly lose: () => void;
}

/** Passes one connection on, until the plan cuts it. */
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
    plan.seen.push(command);
    plan.collections.push(collectionOf(message));
    const isCut = plan.seen.length === plan.passing + 1;
    if (isCut && plan.moment === "before") return end();
    isLast = isCut;
    if (plan.held?.command !== command) return void server.write(message);
    plan.held.came(() => void server.write(message));
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
  const none = { seen: [], collections: [], lostAt: null, held: null };
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
    // Without it, the driver would ask the database where it is, and leave the proxy out.
    url: `mongodb://127.0.0.1:${address.port}${target.pathname}?directConnection=true`,
    cutAt(passing, moment) {
      Object.assign(plan, { passing, moment, seen: [], collections: [] });
    },
    loseAt: (command) => void (plan.lostAt = command),
    holdAt: (command) => new Promise((came) => (plan.held = { command, came })),
    get seen() {
      return plan.seen;
    },
    seenOn: (collection) => plan.seen.filter((_command, place) => plan.collections[place] === collection),
  };
}
