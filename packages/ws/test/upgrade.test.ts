import { once } from "node:events";
import { connect } from "node:net";
import { until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { chatPath, clientFrame, open, openRaw, startTelex, textTo, upgradeRequest } from "./harness.ts";

interface Refusal {
  readonly status: number;
  readonly headers: string;
  readonly body: {
    readonly code: number;
    readonly msg: string;
    readonly data: { readonly error: string; readonly issues?: unknown };
  };
}

/** The refusal of a request. */
async function refused(port: number, request: string): Promise<Refusal> {
  const raw = openRaw(port);
  raw.socket.write(request);
  await raw.ended;
  const [headers = "", body = ""] = Buffer.concat(raw.chunks).toString("utf8").split("\r\n\r\n");
  expect(Number(/content-length: (\d+)/i.exec(headers)?.[1])).toBe(Buffer.byteLength(body));
  expect(headers).toContain("Connection: close");
  expect(headers).toContain("Cache-Control: no-store");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests look at what is in it
  return { status: Number(headers.split(" ")[1]), headers, body: JSON.parse(body) as Refusal["body"] };
}

/** The first event of a client: an open connection, or the status of a refusal. */
async function attempt(url: string, protocols: readonly string[] = []): Promise<{ status: number; protocol: string }> {
  const socket = new WebSocket(url, [...protocols]);
  const outcome = new Promise<number>((resolve) => {
    socket.on("open", () => resolve(101));
    socket.on("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode));
    socket.on("error", () => {});
  });
  const status = await outcome;
  const { protocol } = socket;
  socket.terminate();
  return { status, protocol };
}

describe("an upgrade", () => {
  it.each([
    ["of the token's path", `${chatPath}/token`, 101],
    ["without a token", chatPath, 101],
    ["with an empty token", `${chatPath}/`, 101],
    ["with a query", `${chatPath}/token?a=b?c=d`, 101],
    ["with more than a token", `${chatPath}/token/more`, 418],
    ["of a longer word", `${chatPath}s/token`, 418],
    ["in other letters", `${chatPath.toUpperCase()}/token`, 418],
    ["of another path", "/external/api/v1/other", 418],
    ["of the root", "/", 418],
  ])("%s is taken, or left to the caller", async (_case, path, status) => {
    const { port } = await startTelex();
    expect((await attempt(`ws://127.0.0.1:${port}${path}`)).status).toBe(status);
  });

  it("of a path that is not ours is refused where nobody else is there to take it", async () => {
    const { port } = await startTelex({ ws: { others: "refuse" } });
    const { status, body } = await refused(port, upgradeRequest("/elsewhere"));
    expect(status).toBe(404);
    expect(body).toEqual({ code: 404, msg: "此处没有内容。", data: { error: "not_found" } });
  });

  it("is found below the base path, and only there", async () => {
    const { port, user, group } = await startTelex({ ws: { basePath: "/telex" } });
    const alice = await user("Alice");
    const groupId = await group([alice]);
    const client = await open(`ws://127.0.0.1:${port}/telex${chatPath}/${alice.token}`);
    client.send(textTo(groupId, "x"));
    expect(await client.next()).toMatchObject({ code: 200 });
    expect((await attempt(`ws://127.0.0.1:${port}${chatPath}/token`)).status).toBe(418);
  });

  it.each<[readonly string[], string]>([
    [[], ""],
    [["chat"], "chat"],
    [["first", "second"], "first"],
  ])("that offers the subprotocols %j gets %j", async (offered, echoed) => {
    const { port } = await startTelex();
    expect(await attempt(`ws://127.0.0.1:${port}${chatPath}/token`, offered)).toEqual({
      status: 101,
      protocol: echoed,
    });
  });

  it("offers no compression, whatever the client would like", async () => {
    const { url } = await startTelex();
    const client = await open(url("token"));
    expect(client.socket.extensions).toBe("");
  });

  it("may come in one packet with the first commands", async () => {
    const { port, user, group } = await startTelex();
    const alice = await user("Alice");
    const groupId = await group([alice]);
    const raw = openRaw(port);
    const commands = [1, 2, 3].map((identifier) => clientFrame(1, JSON.stringify(textTo(groupId, "x", identifier))));
    raw.socket.write(Buffer.concat([Buffer.from(upgradeRequest(`${chatPath}/${alice.token}`)), ...commands]));
    const received = await raw.until((all) => all.includes('"identifier":3'));
    const places = [1, 2, 3].map((identifier) => received.indexOf(`"code":200,"identifier":${identifier},`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("may break off at any moment, and harms nobody", async () => {
    const { port, url, ws, log } = await startTelex();
    const request = upgradeRequest(`${chatPath}/token`);
    for (let length = 1; length <= request.length; length += 7) {
      const raw = openRaw(port);
      raw.socket.write(request.slice(0, length), () => raw.socket.resetAndDestroy());
      await raw.ended;
    }
    const client = await open(url("token"));
    client.send("x");
    expect(await client.next()).toMatchObject({ type: "LoginFail" });
    await until(() => ws.size === 1);
    expect(log.lines).toEqual([]);
  });
});

describe("an upgrade to our path that cannot become a WebSocket", () => {
  const path = `${chatPath}/token`;
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["for another protocol", { Upgrade: "h2c" }, "upgrade"],
    ["with a key that is none", { "Sec-WebSocket-Key": "short" }, "sec-websocket-key"],
    ["with an old version", { "Sec-WebSocket-Version": "7" }, "sec-websocket-version"],
    ["with a subprotocol that is not a word", { "Sec-WebSocket-Protocol": "a b" }, "sec-websocket-protocol"],
    ["with one subprotocol twice", { "Sec-WebSocket-Protocol": "a, a" }, "sec-websocket-protocol"],
  ])("%s is refused with the envelope", async (_case, headers, field) => {
    const { port } = await startTelex();
    const { status, body, headers: answered } = await refused(port, upgradeRequest(path, headers));
    expect(status).toBe(400);
    expect(answered).toContain("Content-Type: application/json; charset=utf-8");
    expect(answered).toContain("Sec-WebSocket-Version: 13");
    expect(body).toEqual({
      code: 400,
      msg: "请求无效。",
      data: { error: "invalid_request", issues: [{ path: field, message: "无效" }] },
    });
  });

  it("because something is missing is told what", async () => {
    const { port } = await startTelex();
    const request = upgradeRequest(path, { "Accept-Language": "en" }).replace(
      /Sec-WebSocket-(Key|Version): .*\r\n/g,
      "",
    );
    const { body } = await refused(port, request);
    expect(body).toEqual({
      code: 400,
      msg: "The request is not valid.",
      data: {
        error: "invalid_request",
        issues: [
          { path: "sec-websocket-key", message: "is required" },
          { path: "sec-websocket-version", message: "is required" },
        ],
      },
    });
  });

  it("may be gone before it is told so", async () => {
    const { port, url, log } = await startTelex({ ws: { others: "refuse" } });
    const failures: unknown[] = [];
    const keep = (cause: unknown): void => void failures.push(cause);
    process.on("uncaughtExceptionMonitor", keep);
    for (let count = 0; count < 50; count += 1) {
      const raw = openRaw(port);
      const request = count % 2 === 0 ? upgradeRequest(path, { Upgrade: "h2c" }) : upgradeRequest("/elsewhere");
      raw.socket.write(request, () => raw.socket.resetAndDestroy());
      await raw.ended;
    }
    const client = await open(url("token"));
    client.send("x");
    expect(await client.next()).toMatchObject({ type: "LoginFail" });
    process.off("uncaughtExceptionMonitor", keep);
    expect([failures, log.lines]).toEqual([[], []]);
  });

  it("because of its method is told which one is taken", async () => {
    const { port } = await startTelex();
    const { status, headers, body } = await refused(port, upgradeRequest(path, {}, "PUT"));
    expect(status).toBe(405);
    expect(headers).toContain("Allow: GET");
    expect(body.data).toEqual({ error: "method_not_allowed" });
  });

  it("is hung up on, also where the client keeps its half of the connection", async () => {
    const { port, sockets } = await startTelex();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    socket.write(upgradeRequest(path, { Upgrade: "h2c" }));
    socket.resume();
    await once(socket, "end");
    await until(() => sockets.size === 0);
    expect(socket.writable).toBe(true);
    socket.destroy();
  });

  it("because Telex is stopping is told when to come again", async () => {
    const { port, ws } = await startTelex();
    await ws.close();
    const { status, headers, body } = await refused(port, upgradeRequest(path));
    expect(status).toBe(503);
    expect(headers).toContain("Retry-After: 1");
    expect(body.data).toEqual({ error: "shutting_down" });
  });
});

it("two instances in one process do not disturb each other", async () => {
  const [one, two] = [await startTelex(), await startTelex()];
  const [alice, bob] = [await one.user("Alice"), await two.user("Bob")];
  const [first, second] = [await open(one.url(alice.token)), await open(two.url(bob.token))];
  const [oneRoom, twoRoom] = [await one.group([alice]), await two.group([bob])];
  first.send(textTo(oneRoom, "x"));
  second.send(textTo(twoRoom, "x"));
  expect(await first.next()).toMatchObject({ code: 200 });
  expect(await second.next()).toMatchObject({ code: 200 });
  await one.ws.close();
  expect(await first.closed).toBe(1001);
  second.send(textTo(twoRoom, "y"));
  expect(await second.next()).toMatchObject({ code: 200 });
  const stranger = await open(two.url(alice.token));
  stranger.send("x");
  expect(await stranger.next()).toMatchObject({ type: "LoginFail" });
});
