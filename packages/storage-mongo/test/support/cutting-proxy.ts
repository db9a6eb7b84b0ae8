import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
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
  /** The commands that were sent since the last `cutAt`. */
  readonly seen: readonly string[];
}

/** What drivers send on their own account. `$cmd` is the greeting of a new connection. */
const own: ReadonlySet<string> = new Set(["$cmd", "hello", "ping", "endSessions", "abortTransaction"]);

const bodyStart = 21;

/** The name of the command in an OP_MSG: the first key of its document. */
function commandOf(message: Buffer): string {
  const name = message.subarray(bodyStart + 5);
  return name.subarray(0, name.indexOf(0)).toString("latin1");
}

/** Calls back with each whole message of the wire protocol. A message begins with its length. */
function messagesOf(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** Decides about each command of a client. */
interface Plan {
  passing: number;
  moment: Moment;
  seen: string[];
  lostAt: string | null;
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
    const isCut = plan.seen.length === plan.passing + 1;
    if (isCut && plan.moment === "before") return end();
    isLast = isCut;
    server.write(message);
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
  const plan: Plan = { passing: Number.POSITIVE_INFINITY, moment: "before", seen: [], lostAt: null, lose };
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
      Object.assign(plan, { passing, moment, seen: [] });
    },
    loseAt: (command) => void (plan.lostAt = command),
    get seen() {
      return plan.seen;
    },
  };
}
