import { expect, it } from "vitest";
import { type ClientSocket, createConnection, type SocketEvent } from "./connection.ts";

/** A socket whose events the test controls. */
function createSocket() {
  const listeners = new Map<string, (event: SocketEvent) => void>();
  const socket: ClientSocket = {
    send() {},
    close() {},
    addEventListener: (type, listener) => void listeners.set(type, listener),
  };
  return { socket, tell: (type: string) => listeners.get(type)?.({ type }) };
}

it.each(["error", "close"])("a connection ends with an event %s, also while it is opened", async (type) => {
  const { socket, tell } = createSocket();
  const url = "http://127.0.0.1:1";
  const connection = createConnection({ url, token: "t", channel: "rooms", connect: () => socket, event() {} });
  tell(type);
  await expect(connection.opened).rejects.toMatchObject({ kind: "ended", code: 1006 });
  expect(await connection.ended).toMatchObject({ code: 1006 });
});

it("a call on a connection that fails does not wait for a close event", async () => {
  const { socket, tell } = createSocket();
  const url = "http://127.0.0.1:1";
  const connection = createConnection({ url, token: "t", channel: "rooms", connect: () => socket, event() {} });
  tell("open");
  await connection.opened;
  const call = connection.ping();
  tell("error");
  await expect(call).rejects.toMatchObject({ kind: "ended", code: 1006 });
});
