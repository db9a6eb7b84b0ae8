import { expect, it } from "vitest";
import { chatPath, open, startTelex } from "./harness.ts";

/** The paths of the three kinds of sockets. */
const paths = [chatPath, "/external/api/v1/teleprinter/webSocket", "/external/api/v1/sseStream/webSocket"];

it.each(paths)("a cookie or Basic credentials, which a browser adds by itself, sign nobody in (%s)", async (path) => {
  const { port, user } = await startTelex();
  const { token } = await user("Alice");
  const basic = `Basic ${Buffer.from(`alice:${token}`).toString("base64")}`;
  for (const headers of [{ cookie: `access_token=${token}; token=${token}` }, { authorization: basic }]) {
    const url = `ws://127.0.0.1:${port}${path}`;
    const { send, nextText } = await open(url, [], { ...headers, origin: "https://other.example" });
    send('{"command":"none","identifier":"a"}');
    expect(await nextText()).toBe('{"type":"LoginFail","code":400,"identifier":"a"}');
  }
});
