import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { PrinterLink, PrinterPort } from "./port.ts";

const second = 1000;
const connectTime = 10 * second;
/** A printer without answers ends the connection when it has printed. */
const finishTime = 120 * second;

function linkOf(socket: Socket): PrinterLink {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let failure: Error | null = null;
  let isEnded = false;
  socket.on("end", () => (isEnded = true));
  socket.on("error", (error) => (failure = error));
  socket.on("close", () => resolve(failure === null ? "the printer closed the connection" : "the connection was lost"));
  return {
    ended,
    hasAnswers: true,
    onByte: (heard) =>
      void socket.on("data", (bytes: Buffer) => {
        for (const byte of bytes) heard(byte);
      }),
    async write(bytes) {
      const { promise, resolve: written, reject } = Promise.withResolvers<void>();
      socket.write(bytes, (error) => (error ? reject(error) : written()));
      await promise;
    },
    async finish() {
      // A printer that closes first may not have read the last bytes.
      if (isEnded) throw new Error(await ended);
      socket.setTimeout(finishTime, () => socket.destroy(new Error("timeout")));
      socket.end();
      const reason = await ended;
      if (failure !== null) throw new Error(reason);
    },
    destroy: () => void socket.destroy(),
  };
}

/** A printer in the network; port 9100 by custom. */
export const tcpPort = (host: string, port: number): PrinterPort => ({
  async open() {
    const socket = connect({ host, port, noDelay: true });
    const late = setTimeout(() => socket.destroy(new Error("timeout")), connectTime);
    try {
      await once(socket, "connect");
    } catch {
      throw new Error(`${host}:${port} cannot be reached`);
    } finally {
      clearTimeout(late);
    }
    return linkOf(socket);
  },
});
