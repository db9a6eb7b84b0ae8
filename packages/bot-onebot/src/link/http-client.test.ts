import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { askOverHttp } from "./http-client.ts";

/** Sends an action to a server whose response has this status and body. */
async function ask(status: number, body: string) {
  const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const deps = {
    address: `http://127.0.0.1:${address.port}`,
    token: null,
    version: 11,
    signal: new AbortController().signal,
  } as const;
  return await askOverHttp(deps, JSON.stringify({ action: "send_msg", params: {}, echo: "1" }));
}

it.each([
  [500, ""],
  [502, ""],
  [504, "{}"],
  [200, "no JSON"],
  [200, ""],
])("after a response of status %i with the body %j, nobody knows whether a message was sent", async (status, body) => {
  expect(await ask(status, body)).toEqual({ outcome: "lost", echo: "1" });
});

it.each([
  [401, "", { status: "failed", retcode: 1401, echo: "1" }],
  [404, "{}", { status: "failed", retcode: 1404, echo: "1" }],
  [200, '{"status":"ok","retcode":0,"data":null}', { status: "ok", retcode: 0, echo: "1" }],
])("a response of status %i with the body %j is an answer", async (status, body, frame) => {
  expect(await ask(status, body)).toMatchObject({ outcome: "answered", frame });
});

it("a response with so many values that reading it would block others counts as none", async () => {
  const data = Array.from({ length: 200_000 }, () => 0);
  expect(await ask(200, JSON.stringify({ status: "ok", retcode: 0, data }))).toEqual({ outcome: "lost", echo: "1" });
});
