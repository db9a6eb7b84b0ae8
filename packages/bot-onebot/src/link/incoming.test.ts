import { once } from "node:events";
import { createServer } from "node:http";
import { systemClock } from "@telex/core";
import { until } from "@telex/conformance/testing";
import { createAcceptor } from "@telex/ws/acceptor";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import type { FaultCause } from "./faults.ts";
import { createIncoming } from "./incoming.ts";
import { keepSocket } from "./keep-socket.ts";
import type { LinkHooks } from "./link.ts";
import { takeSocket } from "./server-link.ts";

const hooks: LinkHooks = { received() {}, alive() {}, closed() {} };
const log = { info() {}, warn() {}, error() {} };
const address = z.object({ port: z.number() });
/** Bytes that all connections may hold, and pings that have more together. */
const [most, pings] = [100, 50];

/** Pings after each pong, until there are enough, or the connection has ended. Returns the number of pongs. */
async function pingOften(socket: WebSocket): Promise<number> {
  let [pongs, isClosed] = [0, false];
  socket.on("close", () => (isClosed = true));
  socket.on("pong", () => {
    pongs += 1;
    if (pongs < pings) socket.ping("content");
  });
  socket.ping("content");
  await until(() => isClosed || pongs === pings);
  return pongs;
}

it("a connection to Telex on which only pings come is not cut, however many come", async () => {
  const faults: FaultCause[] = [];
  const incoming = createIncoming(most);
  const acceptor = createAcceptor({ maxPayload: 1000, closeTimeout: 1000, log });
  const fault = (cause: FaultCause): void => void faults.push(cause);
  const server = createServer().on("upgrade", (request, socket, head) =>
    acceptor.accept({
      request,
      socket,
      head,
      protocol: undefined,
      open: (opened) => takeSocket(opened, { incoming, fault }, () => hooks),
    }),
  );
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = new WebSocket(`ws://127.0.0.1:${address.parse(server.address()).port}`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  expect([await pingOften(socket), faults]).toEqual([pings, []]);
  socket.send("x".repeat(most + 1));
  await once(socket, "close");
  expect(faults).toEqual(["too_much"]);
});

it("nor is a connection of Telex", async () => {
  const faults: FaultCause[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const connected = Promise.withResolvers<WebSocket>();
  server.on("connection", connected.resolve);
  onTestFinished(() => server.close());
  await once(server, "listening");
  const kept = keepSocket({
    clock: systemClock,
    address: `ws://127.0.0.1:${address.parse(server.address()).port}`,
    headers: {},
    longestWait: 60_000,
    incoming: createIncoming(most),
    fault: (cause) => void faults.push(cause),
    opened: () => hooks,
    failed() {},
  });
  onTestFinished(() => kept.stop());
  await kept.retry();
  expect([await pingOften(await connected.promise), faults]).toEqual([pings, []]);
});
