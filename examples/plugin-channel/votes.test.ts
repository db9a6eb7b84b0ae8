import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createRateLimiter, defaultRateLimits } from "@telex/core/transport";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { openRawSocket } from "test-support/raw-socket";
import { expect, it, onTestFinished } from "vitest";
import { createVotes } from "./votes.ts";

async function start() {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    checkOutput: true,
  });
  const { routes, channel } = createVotes();
  const ws = createWs(telex, { channels: [channel] });
  const rateLimiter = createRateLimiter({ ...defaultRateLimits, token: { burst: 6, perMinute: 1 } }, telex);
  const http = createHttp(telex, { routes, rateLimiter, documents: { "/asyncapi.json": ws.asyncApi } });
  const { url, close } = await serve({ telex, http, ws, port: 0 });
  onTestFinished(() => close(0));
  const issue = async (scope: string) => {
    const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
    return (await telex.operator.tokens.issue(operator, { userId: id, scopes: [scope] })).token;
  };
  const ask = async (token: string, body?: object, method = body === undefined ? "GET" : "POST"): Promise<unknown> => {
    const headers = { ...(token !== "" && { authorization: `Bearer ${token}` }), "content-type": "application/json" };
    const response = await fetch(`${url}/plugins/votes`, { method, headers, body: JSON.stringify(body) ?? null });
    return await response.json();
  };
  return { telex, url, host: new URL(url).host, issue, ask };
}

/** Connects with what sends any command: the typed client knows the channels of Telex only. */
async function connect(host: string, token: string) {
  const raw = await openRawSocket(`ws://${host}/plugins/votes`, ["telex", `bearer.${token}`]);
  onTestFinished(() => raw.socket.terminate());
  return { send: raw.send, next: async (): Promise<unknown> => JSON.parse(await raw.nextText()) };
}

it("takes votes, checks its input, and tells everybody", async () => {
  const { host, issue } = await start();
  const [alice, bob] = [await connect(host, await issue("chat")), await connect(host, await issue("chat"))];
  const tally = (yes: number, no: number) => ({ type: "Tally", code: 200, data: { yes, no } });
  expect([await alice.next(), await bob.next()]).toEqual([tally(0, 0), tally(0, 0)]);
  alice.send({ identifier: 1, command: "vote", vote: "yes" });
  expect([await alice.next(), await bob.next()]).toEqual([tally(1, 0), tally(1, 0)]);
  expect(await alice.next()).toEqual({
    type: "VoteResult",
    code: 200,
    identifier: 1,
    data: { yes: 1, no: 0 },
    msg: "success",
  });
  bob.send({ identifier: 2, command: "vote", vote: "perhaps" });
  expect(await bob.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: 2 });
});

it("admits only its scopes", async () => {
  const { host, issue } = await start();
  const stranger = await connect(host, await issue("device:printer"));
  stranger.send({ identifier: 1, command: "vote", vote: "yes" });
  expect(await stranger.next()).toEqual({ type: "LoginFail", code: 400, identifier: 1 });
});

it("is in the AsyncAPI document beside the channels of Telex, and refused under a path that is taken", async () => {
  const { host, telex } = await start();
  const response = await fetch(`http://${host}/asyncapi.json`);
  expect(await response.json()).toMatchObject({
    channels: { votes: { address: "/plugins/votes" }, rooms: {}, teleprinter: {}, chat: {} },
    operations: { "votes.vote": { action: "receive" }, "votes.Tally": { action: "send" } },
  });
  const channels = [createVotes().channel, createVotes().channel];
  expect(() => createWs(telex, { channels })).toThrow("Two channels have the name votes.");
});

it("takes votes over HTTP as well, behind the same checks as the operations of Telex", async () => {
  const { host, issue, ask } = await start();
  const [alice, bob] = [await issue("chat"), await issue("chat")];
  const watcher = await connect(host, bob);
  expect(await watcher.next()).toMatchObject({ data: { yes: 0, no: 0 } });
  expect(await ask(alice, { vote: "no" })).toEqual({ code: 200, msg: "success", data: { yes: 0, no: 1 } });
  expect(await watcher.next()).toMatchObject({ type: "Tally", data: { yes: 0, no: 1 } });
  expect(await ask(alice, { vote: "no" })).toMatchObject({ code: 409, data: { error: "nonce_conflict" } });
  expect(await ask(alice)).toMatchObject({ code: 200, data: { yes: 0, no: 1 } });
  const wrong = { code: 400, data: { error: "invalid_request", issues: [{ path: "vote" }] } };
  expect(await ask(alice, { vote: "perhaps" })).toMatchObject(wrong);
  expect(await ask("", { vote: "yes" })).toMatchObject({ code: 401, data: { error: "invalid_token" } });
  const printer = await issue("device:printer");
  expect(await ask(printer, { vote: "yes" })).toMatchObject({ code: 403, data: { error: "insufficient_scope" } });
  expect(await ask(alice, {}, "DELETE")).toMatchObject({ code: 405, data: { error: "method_not_allowed" } });
  for (let call = 0; call < 2; call += 1) await ask(alice);
  expect(await ask(alice)).toMatchObject({ code: 429, data: { error: "rate_limited" } });
});

it("is in the OpenAPI document and the reference, and refused at a place that is taken", async () => {
  const { url, telex } = await start();
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
  expect(document).toMatchObject({
    paths: {
      "/plugins/votes": {
        get: {
          operationId: "votes.tally",
          tags: ["votes"],
          responses: {
            200: {
              content: {
                "application/json": { schema: { properties: { data: { $ref: "#/components/schemas/Tally" } } } },
              },
            },
          },
        },
        post: {
          operationId: "votes.cast",
          requestBody: { content: { "application/json": { schema: { required: ["vote"] } } } },
          responses: { 409: { description: "`nonce_conflict`" } },
        },
      },
      "/external/api/v1/teleprinter/register": {},
    },
    components: { schemas: { Tally: { properties: { yes: {}, no: {} } }, Device: {} } },
  });
  expect(await (await fetch(`${url}/reference`)).text()).toContain("votes.cast");
  const twice = [...createVotes().routes, ...createVotes().routes];
  expect(() => createHttp(telex, { routes: twice })).toThrow("Two routes have the name votes.cast.");
});
