import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy to a server, which can break its connections. */
export interface Cable {
  readonly url: string;
  /** The port of the server behind it, from the next connection on. */
  target: number;
  /** The number of connections so far. */
  readonly count: number;
  /** Breaks the open connections after this many more bytes to the client, even within a frame. */
  breakAfter(bytes: number): void;
  /** Stops forwarding, but keeps the connections open: simulates a peer that died silently. */
  freeze(): void;
}

/** Opens a proxy to a port of this machine until the end of the test. */
export async function layCable(port: number): Promise<Cable> {
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket; left: number }>();
  let count = 0;
  const server = createServer((near) => {
    count += 1;
    const far = connect(cable.target, "127.0.0.1");
    const pair = { near, far, left: Number.POSITIVE_INFINITY };
    pairs.add(pair);
    const cut = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", cut).on("close", cut);
    near.pipe(far);
    far.on("data", (chunk: Buffer) => {
      near.write(chunk.subarray(0, pair.left));
      pair.left -= chunk.length;
      // Frames that were already written are sent first.
      if (pair.left <= 0) near.end(() => cut());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const { near } of pairs) near.destroy();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  const address = server.address() as AddressInfo;
  const cable = {
    url: `http://127.0.0.1:${address.port}`,
    target: port,
    get count() {
      return count;
    },
    breakAfter(bytes: number): void {
      for (const pair of pairs) {
        pair.left = bytes;
        if (bytes === 0) pair.near.destroy();
      }
    },
    freeze(): void {
      for (const { near, far } of pairs) {
        near.pause().unpipe(far);
        far.pause().removeAllListeners("data");
      }
    },
  };
  return cable;
}
