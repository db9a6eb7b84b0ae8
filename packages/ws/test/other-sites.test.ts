import { once } from "node:events";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { chatPath, startTelex } from "./harness.ts";

/** The paths of the three kinds of sockets. */
const paths = [chatPath, "/external/api/v1/teleprinter/webSocket", "/external/api/v1/sseStream/webSocket"];

it.each(paths)("a cookie or Basic credentials, which a browser adds by itself, sign nobody in (%s)", async (path) => {
  const { port, user } = await startTelex();
  const { token } = await user("Alice");
  const basic = `Basic ${Buffer.from(`alice:${token}`).toString("base64")}`;
  for (const headers of [{ cookie: `access_token=${token}; token=${token}` }, { authorization: basic }]) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, origin: "https://other.example" });
    await once(socket, "open");
    const { promise: answer, resolve } = Promise.withResolvers<string>();
    socket.once("message", (data: Buffer) => resolve(data.toString()));
    socket.send('{"command":"none","identifier":"a"}');
    expect(await answer).toBe('{"type":"LoginFail","code":400,"identifier":"a"}');
    socket.terminate();
  }
});
