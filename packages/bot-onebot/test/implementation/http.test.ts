import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  type ClientRequest,
  createServer,
  IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { operator } from "@telex/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { framework, start } from "./setup.ts";

const json = { "content-type": "application/json" };

/** A server of a framework that Telex connects to. */
async function listen(server = createServer()): Promise<{ readonly server: typeof server; readonly port: number }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return { server, port: z.object({ port: z.number() }).parse(server.address()).port };
}

describe("over HTTP", () => {
  it("actions of OneBot 11 have a path each, with JSON or a form", async () => {
    const { http, bot, groupId, stored, url } = await start();
    const post = (path: string, body: string, headers: Record<string, string> = json) =>
      fetch(`${http}${path}`, { method: "POST", body, headers: { authorization: `Bearer ${bot.token}`, ...headers } });
    const info = await post("/v11/get_login_info", "");
    expect(await info.json()).toMatchObject({ status: "ok", retcode: 0, data: { user_id: bot.id } });
    const form = new URLSearchParams({ group_id: String(groupId), message: "by form", auto_escape: "true" }).toString();
    expect(
      (await post("/v11/send_group_msg", form, { "content-type": "application/x-www-form-urlencoded" })).status,
    ).toBe(200);
    expect(await stored()).toMatchObject([{ content: [{ text: { text: "by form" } }] }]);
    expect((await post("/v11/get_nothing", "{}")).status).toBe(404);
    expect((await post("/v11/get_status", "[")).status).toBe(400);
    expect((await post("/v11/get_status", "x", { "content-type": "text/plain" })).status).toBe(406);
    expect((await post("/v11/get_status", "{}", { authorization: "Bearer wrong" })).status).toBe(403);
    expect((await fetch(`${http}/v11/get_status`, { method: "POST" })).status).toBe(401);
    expect((await fetch(`${http}/v11/get_status?access_token=${bot.token}`)).status).toBe(405);
    expect((await post("/v12", JSON.stringify({ action: "get_self_info", params: {} }))).status).toBe(200);
    expect((await post("/v12", "{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("32 bodies of an account may arrive, and one that arrives after its token was revoked changes nothing", async () => {
    const { http, bot, groupId, stored, telex } = await start();
    const headers = { authorization: `Bearer ${bot.token}`, ...json };
    const statusOf = async () =>
      (await fetch(`${http}/v11/get_status`, { method: "POST", headers, body: "{}" })).status;
    const body = JSON.stringify({ group_id: groupId, message: "late" });
    const begin = (): ClientRequest => {
      const begun = openRequest(`${http}/v11/send_group_msg`, { method: "POST", headers, agent: false });
      begun.on("error", () => undefined);
      onTestFinished(() => void begun.destroy());
      begun.write(body.slice(0, 9));
      return begun;
    };
    const finish = (begun: ClientRequest): Promise<unknown> =>
      new Promise((resolve, reject) => {
        begun.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
        begun.end(body.slice(9));
      });
    const [first, ...others] = Array.from({ length: 32 }, begin);
    await vi.waitUntil(async () => (await statusOf()) === 429, { timeout: 20_000 });
    expect(first && (await finish(first))).toBe(200);
    await vi.waitUntil(async () => (await statusOf()) === 200, { timeout: 20_000 });
    await telex.operator.tokens.revoke(operator, { token: String(bot.tokenId) });
    expect(await Promise.all(others.map(finish))).toEqual(others.map(() => 403));
    expect(await stored()).toHaveLength(1);
  });

  it("32 _async actions of an account may be in progress", async () => {
    const { server, port } = await listen();
    const { connect, groupId } = await start({ mediaAllow: [`127.0.0.1:${port}`] });
    const { ask } = await connect();
    const message = [{ type: "image", data: { file: `http://127.0.0.1:${port}/never.png` } }];
    const sendLater = async () => (await ask("send_group_msg_async", { group_id: groupId, message }))["retcode"];
    for (let count = 0; count < 32; count += 1) expect(await sendLater()).toBe(1);
    expect(await sendLater()).toBe(1429);
    expect(await ask("get_status")).toMatchObject({ retcode: 0 });
    server.on("request", (_request, response: ServerResponse) => response.writeHead(404).end());
    server.closeAllConnections();
    await vi.waitUntil(async () => (await sendLater()) === 1, { timeout: 20_000 });
  });

  it("events are posted with a signature, and what is answered is done", async () => {
    const { server, port } = await listen();
    const events: { body: string; headers: NodeJS.Dict<string | string[]> }[] = [];
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request);
      events.push({ body, headers: request.headers });
      const isMessage = body.includes('"post_type":"message"');
      response
        .writeHead(isMessage ? 200 : 204)
        .end(isMessage ? JSON.stringify({ reply: "yes", at_sender: false }) : "");
    };
    server.on("request", (request, response) => void take(request, response));
    const { telex, bot, alice, say, stored } = await start();
    const oneBot = { connect: `http://127.0.0.1:${port}/hook`, secret: "s3cret" };
    await telex.operator.users.amend(operator, { id: bot.id, oneBot });
    await vi.waitUntil(() => events.length > 0, { timeout: 20_000 });
    await say(alice, "are you there?");
    await vi.waitUntil(async () => (await stored()).length === 2, { timeout: 20_000 });
    expect(await stored()).toMatchObject([{ content: [{ text: { text: "yes" } }] }, {}]);
    const { body = "", headers = {} } = events.at(-1) ?? {};
    expect(headers["x-self-id"]).toBe(String(bot.id));
    expect(headers["x-signature"]).toBe(`sha1=${createHmac("sha1", "s3cret").update(body).digest("hex")}`);
  });
});

it("a framework that takes requests too slowly is told again of what happens after that", async () => {
  const { server, port } = await listen();
  const held: ServerResponse[] = [];
  const events: string[] = [];
  const state = { isSlow: true };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    events.push(await text(request));
    if (state.isSlow) held.push(response);
    else response.writeHead(204).end();
  };
  server.on("request", (request, response) => void take(request, response));
  const { telex, bot, alice, say, log } = await start();
  await telex.operator.users.amend(operator, { id: bot.id, oneBot: { connect: `http://127.0.0.1:${port}/` } });
  await vi.waitUntil(() => held.length > 0, { timeout: 20_000 });
  expect(events[0]).toContain('"sub_type":"enable"');
  // One is on its way, and 1000 may wait.
  for (let count = 0; count <= 1001; count += 1) await say(alice, "one of many");
  await vi.waitUntil(() => log.lines.some((line) => line.includes("framework_unreachable")), { timeout: 20_000 });
  state.isSlow = false;
  for (const response of held) response.writeHead(204).end();
  await vi.waitUntil(() => events.filter((event) => event.includes('"enable"')).length > 1, { timeout: 20_000 });
  await say(alice, "are you back?");
  await vi.waitUntil(() => events.some((event) => event.includes("are you back?")), { timeout: 20_000 });
});

describe("reverse WebSocket", () => {
  it.each([{ connect: "ws://127.0.0.1:99999/" }, { connect: "ws://127.0.0.1:9/", secret: "密" }])(
    "%j cannot be connected to, and harms nothing else",
    async (oneBot) => {
      const { telex, bot, connect, log } = await start();
      await telex.operator.users.amend(operator, { id: bot.id, oneBot });
      await vi.waitUntil(() => log.lines.some((line) => line.includes("framework_unreachable")), { timeout: 20_000 });
      expect(await (await connect()).ask("get_status")).toMatchObject({ retcode: 0 });
    },
  );

  it.each([11, 12] as const)(
    "connects with the secret under OneBot %i, again after its end, and ends with the setting",
    async (protocol) => {
      const { server, port } = await listen();
      const sockets = new WebSocketServer({ server });
      const { telex, bot, alice, say, groupId, stored } = await start();
      const accept = async () => {
        const [socket, request] = z
          .tuple([z.instanceof(WebSocket), z.instanceof(IncomingMessage)])
          .parse(await once(sockets, "connection"));
        return { ...framework(socket), headers: request.headers };
      };
      const opening = accept();
      const oneBot = { connect: `ws://127.0.0.1:${port}/onebot`, secret: "s3cret", protocol };
      await telex.operator.users.amend(operator, { id: bot.id, oneBot });
      const first = await opening;
      expect(first.headers.authorization).toBe("Bearer s3cret");
      if (protocol === 11) {
        expect(first.headers).toMatchObject({ "x-self-id": String(bot.id), "x-client-role": "Universal" });
      } else expect(first.headers["sec-websocket-protocol"]).toBe("12.telex, 12");
      const next = accept();
      first.socket.terminate();
      const second = await next;
      await second.told(protocol === 11 ? { meta_event_type: "lifecycle" } : { detail_type: "connect" });
      await say(alice, "hello");
      await second.told(protocol === 11 ? { post_type: "message" } : { type: "message" });
      const params =
        protocol === 11
          ? { group_id: groupId, message: "hi" }
          : { detail_type: "group", group_id: String(groupId), message: "hi" };
      expect(await second.ask(protocol === 11 ? "send_group_msg" : "send_message", params)).toMatchObject({
        retcode: 0,
      });
      expect((await stored())[0]).toMatchObject({ userId: String(bot.id) });
      const closed = once(second.socket, "close");
      await telex.operator.users.amend(operator, { id: bot.id, oneBot: null });
      await closed;
    },
  );
});
