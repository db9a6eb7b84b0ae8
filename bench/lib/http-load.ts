import { connect, type Socket } from "node:net";
import { percentile } from "./statistics.ts";

/** The result of a load. */
export interface LoadResult {
  /** Requests. */
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The bytes of a request with a JSON body, or of a GET. */
export function requestBytes(method: string, path: string, token: string, body?: string): Buffer {
  const content = body ?? "";
  const type =
    body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${type}\r\n${content}`,
  );
}

const headEnd = Buffer.from("\r\n\r\n");

/** Reads responses from a connection. Each has a Content-Length. */
function createReader(socket: Socket, answered: (status: number, body: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = rest.indexOf(headEnd);
      if (head < 0) return;
      const text = rest.toString("latin1", 0, head);
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const end = head + 4 + length;
      if (rest.length < end) return;
      answered(Number(text.slice(9, 12)), rest.subarray(head + 4, end));
      rest = rest.subarray(end);
    }
  });
}

/**
 * Sends `total` requests over this many connections, each with one request in progress. `next` creates the bytes of the n-th.
 * @throws Error for a response that is not 200, or that `check` rejects
 */
export async function load(
  port: number,
  options: {
    readonly connections: number;
    readonly total: number;
    readonly next: (index: number) => Buffer;
    readonly check?: (body: Buffer) => boolean;
  },
): Promise<LoadResult> {
  const latencies: number[] = [];
  let started = 0;
  const began = performance.now();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      let sent = 0;
      const send = (): void => {
        if (started >= options.total) {
          socket.destroy();
          resolve();
          return;
        }
        started += 1;
        sent = performance.now();
        socket.write(options.next(started - 1));
      };
      createReader(socket, (status, body) => {
        latencies.push(performance.now() - sent);
        if (status !== 200 || options.check?.(body) === false) {
          socket.destroy();
          reject(new Error(`${status}: ${body.toString().slice(0, 200)}`));
        } else send();
      });
      socket.on("error", reject);
      socket.on("connect", send);
    });
  await Promise.all(Array.from({ length: options.connections }, one));
  const seconds = (performance.now() - began) / 1000;
  return { count: latencies.length, seconds, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}
