import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy to a server whose connections can be cut. */
export interface TestProxy {
  readonly url: string;
  /** Closes all connections, and accepts no new ones. */
  cut(): void;
  mend(): void;
}

/** Starts a proxy to a server. It is closed after the test. */
export async function startProxy(url: string): Promise<TestProxy> {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    track(near);
    if (!isOpen) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), "127.0.0.1");
    track(far);
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
      isOpen = false;
      drop();
    },
    mend() {
      isOpen = true;
    },
  };
}
