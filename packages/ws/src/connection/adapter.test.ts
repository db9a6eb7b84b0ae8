import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { ticks, until } from "@telex/conformance/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRawSocket, type RawSocket } from "test-support/raw-socket";
import { type ConnectionHooks, createAcceptor } from "./adapter.ts";
import type { Socket } from "./socket.ts";

const secret = "tlxp_secret0000";

/** A server that passes every upgrade to an acceptor. */
async function serve(hooksOf: (socket: Socket) => ConnectionHooks) {
  const errors: unknown[] = [];
  const log = {
    info() {},
    warn() {},
    error: (_event: string, _fields?: object, cause?: unknown) => void errors.push(cause),
  };
  const acceptor = createAcceptor({ maxPayload: 1024, closeTimeout: 1000, log });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    acceptor.accept({ request, socket, head, protocol: undefined, open: hooksOf });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
  const { port } = server.address() as AddressInfo;
  const connect = async (): Promise<RawSocket["socket"]> => {
    const { socket } = await openRawSocket(`ws://127.0.0.1:${port}/im/${secret}${Math.random()}`);
    onTestFinished(() => socket.terminate());
    return socket;
  };
  return { acceptor, connect, errors };
}

const quiet: ConnectionHooks = { message() {}, ping() {}, pong() {}, drain() {}, close() {} };

/** Collects unhandled rejections. */
function watchRejections(): unknown[] {
  const seen: unknown[] = [];
  const keep = (cause: unknown): void => void seen.push(cause);
  process.on("unhandledRejection", keep);
  onTestFinished(() => void process.off("unhandledRejection", keep));
  return seen;
}

describe("crossws, as it is used here", () => {
  it("keeps one namespace for all connections, and remembers no token of those that are gone", async () => {
    const closed: true[] = [];
    const { acceptor, connect } = await serve(() => ({ ...quiet, close: () => void closed.push(true) }));
    const sockets = [await connect(), await connect(), await connect(), await connect(), await connect()];
    expect([...acceptor.peers().keys()]).toEqual(["telex"]);
    expect(acceptor.peers().get("telex")?.size).toBe(5);
    for (const socket of sockets) socket.close();
    await until(() => closed.length >= 5);
    expect(acceptor.peers().get("telex")?.size).toBe(0);
    expect(inspect(acceptor, { depth: Infinity, showHidden: true })).not.toContain(secret);
  });

  it.each<keyof ConnectionHooks>(["message", "ping", "pong", "close"])(
    "survives a %s hook that throws: the connection is cut, the process is not",
    async (name) => {
      const rejections = watchRejections();
      const fail = (): never => {
        throw new Error(`thrown in ${name}`);
      };
      const { connect, errors } = await serve(() => ({ ...quiet, [name]: fail }));
      const socket = await connect();
      socket.on("error", () => {});
      if (name === "message") socket.send("x");
      if (name === "ping") socket.ping();
      if (name === "pong") socket.pong();
      if (name === "close") socket.close();
      await once(socket, "close");
      await until(() => errors.length > 0);
      expect(String(errors[0])).toBe(`Error: thrown in ${name}`);
      await ticks(1);
      expect(rejections).toEqual([]);
    },
  );

  it("survives an open hook that throws", async () => {
    const rejections = watchRejections();
    const { connect, errors } = await serve(() => {
      throw new Error("thrown in open");
    });
    const socket = await connect();
    await once(socket, "close");
    expect(String(errors[0])).toBe("Error: thrown in open");
    expect(rejections).toEqual([]);
  });

  it("gives messages in the order in which they came, each before the next", async () => {
    const seen: (string | null)[] = [];
    const { connect } = await serve(() => ({ ...quiet, message: (text) => void seen.push(text) }));
    const socket = await connect();
    for (let index = 0; index < 100; index += 1) socket.send(String(index));
    socket.send(Buffer.from("binary"));
    await until(() => seen.length >= 101);
    expect(seen).toEqual([...Array.from({ length: 100 }, (_, index) => String(index)), null]);
  });

  it("leaves pings of clients to us", async () => {
    const pings: Uint8Array[] = [];
    const { connect } = await serve(() => ({ ...quiet, ping: (content) => void pings.push(content) }));
    const socket = await connect();
    let pongs = 0;
    socket.on("pong", () => (pongs += 1));
    socket.ping("hello");
    await until(() => pings.length > 0);
    socket.close();
    await once(socket, "close");
    expect(pongs).toBe(0);
  });

  it("reads a part of the pings that a connection sends together in each tick", async () => {
    const readIn: number[] = [];
    let [inTick, all] = [0, 0];
    const ping = (): void => {
      if (inTick === 0)
        setImmediate(() => {
          readIn.push(inTick);
          inTick = 0;
        });
      inTick += 1;
      all += 1;
    };
    const { connect } = await serve(() => ({ ...quiet, ping }));
    const socket = await connect();
    for (let count = 0; count < 100_000; count += 1) socket.ping();
    await until(() => all === 100_000 && inTick === 0);
    // Node reads 64 KiB at a time.
    expect(Math.max(...readIn)).toBeLessThan(20_000);
  });
});
