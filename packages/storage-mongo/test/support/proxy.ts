import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { inject, onTestFinished } from "vitest";
import { newDatabase } from "./database.ts";

/** A network between a test and the database. */
export interface Network {
  /** The address of a new database, through the network. */
  readonly url: string;
  /** Cuts all connections; new ones are possible. */
  readonly cut: () => void;
  /** Cuts all connections and accepts no new ones until `restore`. */
  readonly remove: () => void;
  /** Carries nothing more until `restore`, without cutting anything. */
  readonly hold: () => void;
  readonly restore: () => void;
}

/** Cuts both sides when one ends. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
}

/** A network that works, for the duration of the test. */
export async function openNetwork(): Promise<Network> {
  const database = new URL(newDatabase());
  const sockets = new Set<Socket>();
  let state: "works" | "held" | "gone" = "works";
  const server = createServer((socket) => {
    if (state === "gone") {
      socket.destroy();
      return;
    }
    const target = connect(Number(new URL(inject("mongodb")).port), database.hostname);
    for (const one of [socket, target]) {
      sockets.add(one);
      one.on("close", () => sockets.delete(one));
    }
    join(socket, target);
    if (state === "held") socket.pause();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server without a port.");
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    // Without `directConnection`, the driver would use the address that the database gives itself.
    url: `mongodb://127.0.0.1:${address.port}${database.pathname}?directConnection=true`,
    cut,
    remove() {
      state = "gone";
      cut();
    },
    hold() {
      state = "held";
      sockets.forEach((socket) => socket.pause());
    },
    restore() {
      state = "works";
      sockets.forEach((socket) => socket.resume());
    },
  };
}
