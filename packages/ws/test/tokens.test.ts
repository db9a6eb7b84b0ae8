import { describe, expect, it } from "vitest";
import { chatPath, open, openRaw, startTelex, upgradeRequest } from "./harness.ts";

const paths = [chatPath, "/external/api/v1/teleprinter/webSocket", "/external/api/v1/sseStream/webSocket"] as const;

/** Connects with these headers and subprotocols, and returns the answer to the first command. */
async function firstAnswer(url: string, protocols: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const { socket, send, nextText } = await open(url, protocols, headers);
  send('{"identifier":"a","command":"none"}');
  return { text: await nextText(), protocol: socket.protocol };
}

describe.each(paths)("the token of a socket of %s", (path) => {
  it("may stand in the header, in a subprotocol, in the address, or in all of them", async () => {
    const { port, user } = await startTelex();
    const { token } = await user("Alice");
    const url = `ws://127.0.0.1:${port}${path}`;
    const header = { authorization: `Bearer ${token}` };
    const protocols = ["telex", `bearer.${token}`];
    const answers = [
      await firstAnswer(url, [], header),
      await firstAnswer(url, protocols),
      await firstAnswer(`${url}/${token}`, []),
      await firstAnswer(`${url}/${token}`, protocols, header),
    ];
    expect(answers.map(({ text }) => text.includes('"type":"OperationFailed"'))).toEqual([true, true, true, true]);
    expect(answers.map(({ protocol }) => protocol)).toEqual(["", "telex", "", "telex"]);
  });

  it("counts as none if the header holds credentials of another kind", async () => {
    const { port } = await startTelex();
    const answer = await firstAnswer(`ws://127.0.0.1:${port}${path}`, [], { authorization: "Basic eDp5" });
    expect(answer.text).toBe('{"type":"LoginFail","code":400,"identifier":"a"}');
  });

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ["the address and the header", "/tlxp_one", { Authorization: "Bearer tlxp_two" }],
    ["the address and a subprotocol", "/tlxp_one", { "Sec-WebSocket-Protocol": "telex, bearer.tlxp_two" }],
    [
      "the header and a subprotocol",
      "",
      { Authorization: "Bearer tlxp_one", "Sec-WebSocket-Protocol": "telex, bearer.tlxp_two" },
    ],
    ["two subprotocols", "", { "Sec-WebSocket-Protocol": "telex, bearer.tlxp_one, bearer.tlxp_two" }],
    ["a malformed address and the header", "/%zz", { Authorization: "Bearer tlxp_one" }],
  ])("is refused with 400 if %s differ", async (_case, segment, headers) => {
    const { port } = await startTelex();
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${path}${segment}`, { ...headers, "Accept-Language": "en" }));
    await raw.ended;
    const refusal = Buffer.concat(raw.chunks).toString();
    expect(refusal).toMatch(/^HTTP\/1.1 400 /);
    expect(refusal).toContain('"msg":"The request carries different access tokens. Send one."');
    expect(refusal).not.toContain("tlxp_");
  });
});

it("a subprotocol with a token is never echoed", async () => {
  const { port } = await startTelex();
  for (const offered of ["bearer.tlxp_one", "bearer.tlxp_one, telex", "bearer.tlxp_one, other"]) {
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(chatPath, { "Sec-WebSocket-Protocol": offered }));
    const head = (await raw.until((received) => received.includes("\r\n\r\n"))).toString();
    expect(head).toMatch(/^HTTP\/1.1 101 /);
    expect(head).not.toContain("tlxp_one");
    const [, last] = offered.split(", ");
    expect(/sec-websocket-protocol: (\w+)/i.exec(head)?.[1]).toBe(last);
  }
});
