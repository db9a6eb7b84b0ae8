import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A line to a server that can be cut like a cable. */
export interface Cable {
  readonly url: string;
  /** Drops what is connected, and takes nothing new. */
  cut(): void;
  mend(): void;
}

/** A cable to a server; closed after the test. */
export async function layCable(url: string): Promise<Cable> {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  let whole = true;
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    hold(near);
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), "127.0.0.1");
    hold(far);
    near.pipe(far).pipe(near);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const drop = (): void => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    drop();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      whole = false;
      drop();
    },
    mend() {
      whole = true;
    },
  };
}
