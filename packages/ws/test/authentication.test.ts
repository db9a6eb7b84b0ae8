import { operator, type Storage, TelexError } from "@telex/core";
import { costShare, cpuTimeOf } from "@telex/conformance";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createInbox } from "test-support/raw-socket";
import { open, startTelex, textOf, textTo } from "./harness.ts";

/** Lets the test release token lookups one by one: before the query of the storage, or before its result is used. */
function heldTokens(held: "question" | "answer" = "question") {
  const asked = createInbox<() => void>();
  const hold = () => new Promise<void>((resolve) => asked.put(resolve));
  const wrap = (storage: Storage): Storage => ({
    ...storage,
    tokens: {
      ...storage.tokens,
      findToken: async (digest) => {
        if (held === "question") await hold();
        const record = await storage.tokens.findToken(digest);
        if (held === "answer") await hold();
        return record;
      },
    },
  });
  return { asked, wrap };
}

describe("a connection without a valid token", () => {
  it.each([
    ["none", ""],
    ["garbage", "garbage"],
    ["bad percent-encoding", "%zz%"],
    ["encoded bytes that are no UTF-8", "%ff%fe"],
    ["a token of the right form that was never issued", "tlxp_000000000000000000000000000000000000"],
    ["an encoded slash", "a%2Fb"],
    ["a very long one", "x".repeat(8000)],
  ])("(%s) is opened, and answered with LoginFail", async (_case, token) => {
    const { url } = await startTelex();
    const client = await open(url(token));
    client.send(textTo(1, "x", "a"));
    expect(await client.nextText()).toBe('{"type":"LoginFail","code":400,"identifier":"a"}');
    client.send(textTo(1, "x", 2));
    expect(await client.nextText()).toBe('{"type":"LoginFail","code":400,"identifier":2}');
  });

  it("is answered with LoginFail whatever it sends", async () => {
    const { url } = await startTelex();
    const client = await open(url("garbage"));
    for (const text of ["", "{", "[]", '{"command":"nothing"}', '{"identifier":"z"}']) client.send(text);
    client.socket.send(Buffer.from([1, 2, 3]));
    const identifiers: unknown[] = [];
    for (let index = 0; index < 6; index += 1) {
      const frame = await client.next();
      expect(frame).toMatchObject({ type: "LoginFail", code: 400 });
      identifiers.push(frame.identifier);
    }
    expect(identifiers).toEqual([null, null, null, null, "z", null]);
  });

  it("may send 16 frames: the next one is answered and closes the connection", async () => {
    const { url } = await startTelex();
    const client = await open(url("garbage"));
    for (let identifier = 1; identifier <= 20; identifier += 1) client.send({ identifier });
    for (let identifier = 1; identifier <= 17; identifier += 1) {
      expect(await client.next()).toEqual({ type: "LoginFail", code: 400, identifier });
    }
    expect(await client.closed).toBe(4401);
    await expect(client.next()).rejects.toThrow("closed");
  });

  const padding = "x".repeat(4096);
  it.each([
    ["its identifier", `{"identifier":"a\\u4e00","pad":"${padding}"}`, '"a一"'],
    [
      "its identifier after plain values",
      `{"command":"x\\"y","groupId":1, "identifier" : 1.50 ,"pad":"${padding}"}`,
      "1.50",
    ],
    ["null for one that begins after 1 KiB", `{"pad":"${padding}","identifier":"a"}`, "null"],
    ["null for one that is not whole in 1 KiB", `{"identifier":"${padding}"}`, "null"],
    ["null for one inside another value", `{"message":[{"identifier":"a"}],"pad":"${padding}"}`, "null"],
    ["null for one inside a text", `{"text":"\\"identifier\\":\\"a\\",","pad":"${padding}"}`, "null"],
    ["null for what is not JSON", `{"identifier":01,"pad":"${padding}"}`, "null"],
    ["null for what is not an object", `[${"[".repeat(4096)}`, "null"],
  ])("is closed by a frame over 4 KiB, which is answered with %s", async (_case, text, identifier) => {
    const { url } = await startTelex();
    const client = await open(url("garbage"));
    client.send(text);
    expect(await client.nextText()).toBe(`{"type":"LoginFail","code":400,"identifier":${identifier}}`);
    expect(await client.closed).toBe(4401);
  });

  it("may send a frame of 4 KiB", async () => {
    const { url } = await startTelex();
    const client = await open(url("garbage"));
    const frame = JSON.stringify({ pad: "", identifier: "a" });
    client.send(JSON.stringify({ pad: "x".repeat(4096 - frame.length), identifier: "a" }));
    expect(await client.next()).toMatchObject({ identifier: "a" });
    client.send({ identifier: "b" });
    expect(await client.next()).toMatchObject({ identifier: "b" });
  });

  it("costs little for a large frame", async () => {
    const { url } = await startTelex();
    const large = `[${"1.5,".repeat(60_000)}1]`;
    const send = async (text: string): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        const client = await open(url("garbage"));
        client.send(text);
        await client.next();
        await client.close();
      }
    };
    const plain = "x".repeat(large.length);
    const plainTime = await cpuTimeOf(() => send(plain), 4);
    expect(await costShare(() => send(large), 2 * plainTime)).toBeLessThanOrEqual(1);
  });

  it("counts as one when its token lacks the scope chat", async () => {
    const { url, user } = await startTelex();
    const alice = await user("Alice", ["profile", "device:d1"]);
    const client = await open(url(alice.token));
    client.send(textTo(1, "x", "a"));
    expect(await client.nextText()).toBe('{"type":"LoginFail","code":400,"identifier":"a"}');
  });

  it("is in the log of security, without its token", async () => {
    const { url, user, log } = await startTelex();
    const alice = await user("Alice", ["profile"]);
    const refused = `tlxp_${"0".repeat(36)}`;
    for (const token of [refused, alice.token]) {
      const client = await open(url(token));
      client.send("x");
      expect(await client.next()).toMatchObject({ type: "LoginFail" });
    }
    const warnings = log.security.filter((line) => line.startsWith("warn "));
    expect(warnings).toEqual([
      expect.stringMatching(/^warn token\.refused \{"address":"127\.0\.0\.1"\}/),
      expect.stringContaining(`warn access.refused {"userId":${alice.id},"tokenId":${alice.tokenId},"route":"`),
    ]);
    expect(log.security.join()).not.toContain(refused);
  });

  it("is closed after 10 seconds, and not before", async () => {
    const clock = createManualClock();
    const { url, user } = await startTelex({ clock });
    const alice = await user("Alice", ["profile"]);
    const clients = [await open(url("garbage")), await open(url(alice.token))];
    await clock.advance(9_999);
    for (const client of clients) {
      client.send(textTo(1, "x", "still here"));
      expect(await client.next()).toMatchObject({ type: "LoginFail" });
    }
    await clock.advance(1);
    for (const client of clients) expect(await client.closed).toBe(4401);
  });

  it("receives nothing of any room", async () => {
    const { url, user, group } = await startTelex();
    const alice = await user("Alice");
    const bob = await user("Bob", ["profile"]);
    const groupId = await group([alice, bob]);
    const [sender, stranger] = [await open(url(alice.token)), await open(url(bob.token))];
    sender.send(textTo(groupId, "not for strangers"));
    await sender.next();
    stranger.send("x");
    expect(await stranger.next()).toMatchObject({ type: "LoginFail" });
  });
});

describe("a connection with a valid token", () => {
  it("stays open beyond 10 seconds", async () => {
    const clock = createManualClock();
    const { url, user, group } = await startTelex({ clock });
    const alice = await user("Alice");
    const groupId = await group([alice]);
    const client = await open(url(alice.token));
    client.send(textTo(groupId, "one"));
    await client.next();
    await clock.advance(25_000);
    client.send(textTo(groupId, "two"));
    expect(await client.next()).toMatchObject({ code: 200 });
  });

  it("may have its token percent-encoded", async () => {
    const { url, user, group } = await startTelex();
    const alice = await user("Alice");
    const groupId = await group([alice]);
    const client = await open(url(alice.token.replace("_", "%5F")));
    client.send(textTo(groupId, "one"));
    expect(await client.next()).toMatchObject({ code: 200 });
  });

  it("is closed with 4401 when the token is revoked", async () => {
    const { telex, url, user } = await startTelex();
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    client.send("x");
    await client.next();
    await telex.operator.tokens.revoke(operator, { token: alice.token });
    expect(await client.closed).toBe(4401);
  });

  it("is closed with 4401 when its user is suspended, and opens again when the user is resumed", async () => {
    const { telex, url, user } = await startTelex();
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    client.send("x");
    await client.next();
    await telex.operator.users.amend(operator, { id: alice.id, state: "suspended" });
    expect(await client.closed).toBe(4401);
    const refused = await open(url(alice.token));
    refused.send("x");
    expect(await refused.next()).toMatchObject({ type: "LoginFail" });
    await telex.operator.users.amend(operator, { id: alice.id, state: "active" });
    const again = await open(url(alice.token));
    again.send("x");
    expect(await again.next()).toMatchObject({ type: "OperationFailed" });
  });

  it("is closed with 4401 when the token expires", async () => {
    const clock = createManualClock();
    const { telex, url, user } = await startTelex({ clock });
    const { id } = await user("Alice");
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"], life: 60_000 });
    const client = await open(url(token));
    client.send("x");
    await client.next();
    const moved = (async () => {
      while (client.socket.readyState === client.socket.OPEN) {
        await clock.advance(1000);
        await ticks(1);
      }
    })();
    expect(await client.closed).toBe(4401);
    await moved;
    expect(clock.now()).toBeGreaterThanOrEqual(Date.parse("2026-11-20T08:01:00.000Z"));
  });

  it("leaves the connections of other tokens of the same user open", async () => {
    const { telex, url, user } = await startTelex();
    const alice = await user("Alice");
    const { token } = await telex.operator.tokens.issue(operator, { userId: alice.id, scopes: ["chat"] });
    const [ending, staying] = [await open(url(alice.token)), await open(url(token))];
    for (const client of [ending, staying]) {
      client.send("x");
      await client.next();
    }
    await telex.operator.tokens.revoke(operator, { token: String(alice.tokenId) });
    await ending.closed;
    staying.send("x");
    expect(await staying.next()).toMatchObject({ type: "OperationFailed" });
  });
});

describe("while it is not known who is behind a connection", () => {
  it("commands wait, and are then answered in their order", async () => {
    const { asked, wrap } = heldTokens();
    const { url, user, group } = await startTelex({ wrap });
    const alice = await user("Alice");
    const groupId = await group([alice]);
    const client = await open(url(alice.token));
    for (const identifier of [1, 2, 3]) client.send(textTo(groupId, "x", identifier));
    (await asked.take())();
    for (const identifier of [1, 2, 3]) expect(await client.next()).toMatchObject({ code: 200, identifier });
  });

  it("messages of its rooms may come, and are mirrored after that only", async () => {
    const { asked, wrap } = heldTokens();
    const { url, user, group } = await startTelex({ wrap });
    const [alice, bob] = [await user("Alice"), await user("Bob")];
    const groupId = await group([alice, bob]);
    const sender = await open(url(alice.token));
    (await asked.take())();
    const late = await open(url(bob.token));
    const admit = await asked.take();
    sender.send(textTo(groupId, "early"));
    await sender.next();
    admit();
    late.send("x");
    expect(await late.next()).toMatchObject({ type: "OperationFailed" });
    sender.send(textTo(groupId, "late"));
    expect(textOf(await late.next())).toBe("late");
  });

  it("one may go away, and nothing is left of it", async () => {
    const { asked, wrap } = heldTokens();
    const { url, user, group, ws, log } = await startTelex({ wrap });
    const [alice, bob] = [await user("Alice"), await user("Bob")];
    const groupId = await group([alice, bob]);
    const gone = await open(url(bob.token));
    const admit = await asked.take();
    gone.send(textTo(groupId, "never"));
    await gone.close();
    const sender = await open(url(alice.token));
    (await asked.take())();
    sender.send(textTo(groupId, "first"));
    admit();
    expect(await sender.next()).toMatchObject({ identifier: "first" });
    sender.send(textTo(groupId, "second"));
    expect(await sender.next()).toMatchObject({ identifier: "second" });
    expect(ws.size).toBe(1);
    expect(log.lines).toEqual([]);
  });

  it("one is closed after 10 seconds, so that it comes again", async () => {
    const clock = createManualClock();
    const { asked, wrap } = heldTokens();
    const { url, user } = await startTelex({ wrap, clock });
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    const admit = await asked.take();
    await clock.advance(10_000);
    expect(await client.closed).toBe(1013);
    admit();
  });

  it("a revoked token does not come through", async () => {
    const { asked, wrap } = heldTokens();
    const { url, user, telex } = await startTelex({ wrap });
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    const admit = await asked.take();
    await telex.operator.tokens.revoke(operator, { token: alice.token });
    admit();
    client.send(textTo(1, "x", "a"));
    expect(await client.next()).toMatchObject({ type: "LoginFail" });
  });

  it("a token that is revoked after it was looked up does not come through either", async () => {
    const { asked, wrap } = heldTokens("answer");
    const { url, user, telex } = await startTelex({ wrap });
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    const admit = await asked.take();
    await telex.operator.tokens.revoke(operator, { token: alice.token });
    admit();
    expect(await client.closed).toBe(4401);
  });

  it("and the storage cannot tell, commands fail with that, and the connection is closed with 1013", async () => {
    const { url, user } = await startTelex({
      wrap: (storage) => ({
        ...storage,
        tokens: { ...storage.tokens, findToken: () => Promise.reject(new TelexError("storage_unavailable")) },
      }),
    });
    const alice = await user("Alice");
    const client = await open(url(alice.token));
    const { closed } = client;
    client.send(textTo(1, "x", "a"));
    const outcome = await Promise.race([client.next(), closed]);
    expect(
      outcome === 1013 ||
        (outcome !== 1013 && typeof outcome === "object" && outcome.msg === "存储暂无响应,请稍后再试。"),
    ).toBe(true);
    expect(await closed).toBe(1013);
  });
});

it("no token is ever logged", async () => {
  const { url, user, log, telex } = await startTelex({
    wrap: (storage) => ({
      ...storage,
      messages: { ...storage.messages, append: () => Promise.reject(new Error("broken")) },
    }),
  });
  const [alice, bob] = [await user("Alice"), await user("Bob", ["profile"])];
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "R", members: [alice.id] });
  const clients = [
    await open(url(alice.token)),
    await open(url(bob.token)),
    await open(url("tlxp_notreal00000000000")),
  ];
  for (const client of clients) {
    client.send(textTo(groupId, "x"));
    await client.next();
  }
  await telex.operator.tokens.revoke(operator, { token: alice.token });
  await clients[0]?.closed;
  expect(log.lines.length).toBeGreaterThan(0);
  for (const line of log.lines) {
    for (const token of [alice.token, bob.token, "tlxp_notreal"]) expect(line).not.toContain(token);
  }
});
