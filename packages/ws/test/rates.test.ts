import { defaultLimits } from "@telex/core";
import { createRateLimiter } from "@telex/core/transport";
import { createManualClock, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { chatPath, open, openRaw, startTelex, textTo, upgradeRequest } from "./harness.ts";

/** A server with rate limits and a stopped clock. */
async function limited(token: number, address: number) {
  const clock = createManualClock();
  const rates = { token: { burst: token, perMinute: 60 }, address: { burst: address, perMinute: 60 } };
  const rateLimiter = createRateLimiter(rates, { clock, limits: defaultLimits });
  return { ...(await startTelex({ clock, ws: { rateLimiter } })), clock, rateLimiter };
}

describe("a server that limits rates", () => {
  it("counts the upgrade and each command of a token, and answers what is refused", async () => {
    const { url, user, group, clock } = await limited(3, 100);
    const alice = await user("Alice");
    const groupId = await group([alice]);
    const client = await open(url(alice.token));
    for (const text of ["1", "2", "3"]) client.send(textTo(groupId, text));
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", identifier: "1" });
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", identifier: "2" });
    const msg = "请求过于频繁,请在 1 秒后重试。";
    expect(await client.next()).toEqual({ type: "OperationFailed", code: 500, identifier: "3", msg });
    await clock.advance(1000);
    client.send(textTo(groupId, "4"));
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", identifier: "4" });
  });

  it("counts in the same rate as other transports", async () => {
    const { url, user, telex, rateLimiter } = await limited(3, 100);
    const alice = await user("Alice");
    const caller = await telex.authenticate(alice.token);
    for (let call = 0; call < 3; call += 1) rateLimiter.count(caller, () => null, 1);
    const client = await open(url(alice.token));
    expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: null });
    expect(await client.closed).toBe(1013);
  });

  it("closes a connection that goes on sending with 1013", async () => {
    const { url, user } = await limited(1, 100);
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    for (let frame = 0; frame < 200; frame += 1) client.send(textTo(1, "x", frame));
    expect(await client.closed).toBe(1013);
    for (let frame = 0; frame <= 100; frame += 1) {
      expect(await client.next()).toMatchObject({ type: "OperationFailed", identifier: frame });
    }
    await expect(client.next()).rejects.toThrow("closed");
  });

  it("counts upgrades without a valid token by their address", async () => {
    const { url } = await limited(1, 3);
    const clients = [];
    for (let socket = 0; socket < 4; socket += 1) clients.push(await open(url(`garbage${socket}`)));
    expect(await clients[3]?.next()).toMatchObject({ type: "OperationFailed", identifier: null });
    expect(await clients[3]?.closed).toBe(1013);
    clients[0]?.send("x");
    expect(await clients[0]?.next()).toMatchObject({ type: "LoginFail" });
  });

  it("takes many acknowledgements: who sent the messages has paid", async () => {
    const { user, port, telex } = await limited(10, 100);
    const alice = await user("Alice");
    const caller = await telex.authenticate(alice.token);
    await telex.teleprinter.register(caller, { deviceId: "d1", name: "Printer" });
    const path = "/external/api/v1/teleprinter/webSocket";
    const client = await open(`ws://127.0.0.1:${port}${path}/${alice.token}?deviceId=d1&ack=1`);
    for (let id = 1; id <= 100; id += 1) client.send({ identifier: id, command: "ack", id });
    for (let id = 1; id <= 100; id += 1)
      expect(await client.next()).toMatchObject({ type: "AckResult", identifier: id });
  });
});

describe("the number of sockets", () => {
  it("of one address is limited: more are refused with 429 until one closes", async () => {
    const { url, port, ws } = await startTelex({ ws: { socketsPerAddress: 2 } });
    const [first] = [await open(url("a")), await open(url("b"))];
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${chatPath}/c`, { "Accept-Language": "en" }));
    await raw.ended;
    const refusal = Buffer.concat(raw.chunks).toString();
    expect(refusal).toMatch(/^HTTP\/1.1 429 /);
    expect(refusal).toContain("Retry-After: 10");
    expect(refusal).toContain('"error":"rate_limited"');
    await first?.close();
    await until(() => ws.size === 1);
    await open(url("c"));
  });

  it("of one address counts what a trusted proxy tells", async () => {
    const { port } = await startTelex({ ws: { socketsPerAddress: 1, trustProxy: 1 } });
    const heads: string[] = [];
    for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.1"]) {
      const raw = openRaw(port);
      raw.socket.write(upgradeRequest(`${chatPath}/c`, { "X-Forwarded-For": address }));
      heads.push((await raw.until((received) => received.includes("\r\n\r\n"))).toString().slice(0, 12));
    }
    expect(heads).toEqual(["HTTP/1.1 101", "HTTP/1.1 101", "HTTP/1.1 429"]);
  });

  it("of one token is limited: one more is told so and closed with 1013", async () => {
    const { url, user, ws } = await startTelex({ ws: { socketsPerToken: 2 }, locale: "en" });
    const [alice, bob] = [await user("Alice"), await user("Bob")];
    const [first] = [await open(url(alice.token)), await open(url(alice.token))];
    const third = await open(url(alice.token));
    const msg = "The access token has 2 open sockets, which is the limit. Close one first.";
    expect(await third.next()).toEqual({ type: "OperationFailed", code: 500, identifier: null, msg });
    expect(await third.closed).toBe(1013);
    const other = await open(url(bob.token));
    other.send("x");
    expect(await other.next()).toMatchObject({ type: "OperationFailed", identifier: null });
    await first?.close();
    await until(() => ws.size === 2);
    const again = await open(url(alice.token));
    again.send({ identifier: "in", command: "none" });
    expect(await again.next()).toMatchObject({ type: "OperationFailed", identifier: "in" });
  });
});
