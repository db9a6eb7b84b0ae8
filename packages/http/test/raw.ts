import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { closeAfterTest } from "./setup.ts";

/** A connection that is written byte by byte. */
export interface RawConnection {
  readonly socket: Socket;
  write(text: string | Uint8Array): void;
  /** Resolves with the received text once it matches; rejects if the connection ends first. */
  until(pattern: RegExp): Promise<string>;
  /** Errors on this side, such as the other side cutting the connection. */
  readonly errors: readonly string[];
  /** Resolves with the received text when the connection ends. */
  readonly ended: Promise<string>;
}

/** Opens a connection to a server. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  closeAfterTest(async () => void socket.destroy());
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => void (text += chunk));
  const errors: string[] = [];
  socket.on("error", (error) => errors.push(error.message));
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  return {
    socket,
    errors,
    write: (data) => void socket.write(data),
    async until(pattern) {
      while (!pattern.test(text)) {
        if (socket.destroyed) throw new Error(`the connection ended with: ${text}`);
        await Promise.race([once(socket, "data"), once(socket, "close")]);
      }
      return text;
    },
    ended,
  };
}

/** The head of a request. */
export const head = (line: string, headers: Record<string, string> = {}): string =>
  [
    `${line} HTTP/1.1`,
    "host: telex.test",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");
