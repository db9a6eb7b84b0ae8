import { createServer, type ServerResponse } from "node:http";
import { TelexError } from "@telex/core";
import { afterEach } from "vitest";

const closings: (() => Promise<void>)[] = [];

/** Closes every service of the test. */
export async function closePeers(): Promise<void> {
  for (const close of closings.splice(0)) await close();
}
afterEach(closePeers);

/** A service of a test. */
export interface Peer {
  readonly url: string;
  readonly keys: (string | undefined)[];
  readonly bodies: string[];
  /** Resolves when a connection of a reply was closed by us. */
  readonly left: Promise<void>;
  readonly state: { asked: number; written: number };
}

/** A service with answers of the test. */
export async function servePeer(answer: (res: ServerResponse, peer: Peer) => void): Promise<Peer> {
  const left = Promise.withResolvers<void>();
  const peer = {
    url: "",
    keys: [] as (string | undefined)[],
    bodies: [] as string[],
    left: left.promise,
    state: { asked: 0, written: 0 },
  };
  const server = createServer((req, res) => {
    peer.state.asked += 1;
    peer.keys.push(req.headers.authorization);
    res.on("close", () => left.resolve()).on("error", () => {});
    let body = "";
    req
      .setEncoding("utf8")
      .on("data", (text: string) => (body += text))
      .on("end", () => {
        peer.bodies.push(body);
        answer(res, peer);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on a port");
  peer.url = `http://127.0.0.1:${address.port}/v1`;
  return peer;
}

/** Writes without end, as fast as the peer reads. */
export function flood(res: ServerResponse, peer: Peer, text: string): void {
  const more = (): void => {
    while (!res.destroyed) {
      peer.state.written += text.length;
      if (!res.write(text)) return void res.once("drain", more);
    }
  };
  more();
}

/** The failure of a call, as the log shows it. */
export const causeOf = (reply: Promise<unknown>): Promise<unknown> =>
  reply.then(
    () => "it succeeded",
    (error: unknown) =>
      error instanceof TelexError && error.cause instanceof Error ? [error.code, error.cause.message] : error,
  );
