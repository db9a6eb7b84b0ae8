import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "./port.ts";

/** A proxy between a program and a local server, which tests can interrupt. */
export interface Network {
  /** The port for the program. */
  readonly port: number;
  /** Cuts all connections. New ones are possible. */
  readonly cut: () => void;
  /** Cuts all connections and accepts no new ones until `restore`. */
  readonly remove: () => void;
  /** Stops forwarding until `restore`, without cutting connections. */
  readonly hold: () => void;
  readonly restore: () => void;
  /** Cuts all connections and closes the proxy. */
  readonly close: () => void;
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

/** Opens a network to a server on this port. */
export async function openNetwork(port: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let state: "works" | "held" | "gone" = "works";
  const server = createServer((socket) => {
    if (state === "gone") {
      socket.destroy();
      return;
    }
    const target = connect(port, "127.0.0.1");
    for (const one of [socket, target]) {
      sockets.add(one);
      one.on("close", () => sockets.delete(one));
    }
    join(socket, target);
    if (state === "held") socket.pause();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: portOf(server),
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
    close() {
      cut();
      server.close();
    },
  };
}
