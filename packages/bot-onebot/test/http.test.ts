import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, request as askServer } from "node:http";
import { createMemoryStorage } from "@telex/storage-memory";
import { TelexError } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { createManualClock, until } from "@telex/conformance/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createImplementation } from "../src/testing/index.ts";
import type { OneBotOptions } from "../src/index.ts";
import { account, patience, start } from "./setup.ts";

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A server whose account reaches an implementation over HTTP. */
async function scene(version: 11 | 12, options: Partial<OneBotOptions> = {}, storage?: Storage) {
  const bot = createImplementation(version);
  onTestFinished(() => bot.end());
  let events = "";
  const connect = await bot.listen({
    token: "secret",
    get events() {
      return events;
    },
  });
  const here = await start({ accounts: [{ ...account, connect }], ...options }, storage);
  events = `${here.url}/onebot/v${version}/webhook/bot-1`;
  return { ...here, bot, events };
}

describe.each([11, 12] as const)("an implementation of OneBot %i over HTTP", (version) => {
  it("is found, takes messages as requests, and posts what is said", async () => {
    const { bot, find, say, telex, caller, alice, groupId } = await scene(version);
    await until(() => find()?.isOnline === true);
    await say("hello");
    expect(bot.texts()).toEqual(["hello"]);
    bot.say("good morning");
    const holder = await caller(alice);
    const stored = async () => (await telex.messages.history(holder, { groupId, groupType: 4 })).groupMessages;
    await vi.waitUntil(async () => (await stored()).length === 2, patience);
    expect(bot.posted.every((status) => status === 204)).toBe(true);
    expect((await stored()).map(({ content }) => content)).toEqual([
      '[{"text":{"text":"good morning"}}]',
      '[{"text":{"text":"hello"}}]',
    ]);
  });

  it("refuses messages with its own words, and has no second chance", async () => {
    const { bot, find, say } = await scene(version);
    await until(() => find()?.isOnline === true);
    bot.behave("refuse");
    await expect(say("hello")).rejects.toMatchObject({ code: "delivery_failed" });
    expect(bot.texts()).toEqual([]);
  });

  it("leaves an outcome that nobody knows as soon as a request breaks off", async () => {
    const { bot, find, say } = await scene(version);
    await until(() => find()?.isOnline === true);
    bot.behave("silent");
    const sending = say("hello");
    await until(() => bot.texts().length === 1);
    bot.dropRequests();
    await expect(sending).rejects.toMatchObject({ code: "delivery_unknown" });
    expect(find()?.isOnline).toBe(true);
    // Less than the time that a response has.
  }, 15_000);

  it("is offline when it is gone: the message was not sent", async () => {
    const { bot, find, say } = await scene(version);
    await until(() => find()?.isOnline === true);
    bot.end();
    await expect(say("hello")).rejects.toMatchObject({ code: "bot_offline" });
    expect(find()).toMatchObject({ isConnected: false, isOnline: false });
  });
});

it("an implementation that is not there is asked again, rarer each time", async () => {
  const clock = createManualClock();
  const connect = `http://127.0.0.1:${await closedPort()}`;
  const { log, find } = await start({ accounts: [{ ...account, connect }], clock });
  const faults = () => log.lines.filter((line) => line.includes("onebot.fault")).length;
  await until(() => faults() === 1);
  expect(find()).toMatchObject({ isConnected: false });
  await clock.advance(61_000);
  await until(() => faults() === 2);
});

describe("an implementation that speaks another version from now on, at the same address", () => {
  /** An address behind which one implementation takes the place of another. */
  async function relayTo(first: string) {
    let target = first;
    const server = createServer((request, response) => {
      const { method, url = "/", headers } = request;
      const passed = askServer(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
    onTestFinished(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return { connect: `http://127.0.0.1:${port}`, replace: (next: string) => void (target = next) };
  }

  /** A server that has found an implementation of OneBot 11, in whose place one of 12 is now. No request has failed. */
  async function changed() {
    const clock = createManualClock();
    const [old, next] = [createImplementation(11), createImplementation(12)];
    onTestFinished(() => [old, next].forEach((one) => one.end()));
    const relay = await relayTo(await old.listen({ token: "secret", events: "http://127.0.0.1:1" }));
    const here = await start({ accounts: [{ ...account, connect: relay.connect }], clock });
    await until(() => here.find()?.isOnline === true);
    let events = "http://127.0.0.1:1";
    relay.replace(
      await next.listen({
        token: "secret",
        get events() {
          return events;
        },
      }),
    );
    events = `${here.url}/onebot/v12/webhook/bot-1`;
    return { ...here, clock, old, next };
  }

  it("is found when it is asked for its status", async () => {
    const { clock, find, say, old, next } = await changed();
    await clock.advance(30_000);
    await until(() => next.asked.includes("get_version") && find()?.isOnline === true);
    await say("hello");
    expect([old.texts(), next.texts()]).toEqual([[], ["hello"]]);
  });

  it("is found by what it posts", async () => {
    const { find, say, old, next } = await changed();
    expect(await next.greet()).toBe(204);
    await until(() => next.asked.includes("get_version") && find()?.isOnline === true);
    await say("hello");
    expect([old.texts(), next.texts()]).toEqual([[], ["hello"]]);
  });
});

describe("an event that is posted", () => {
  const event = JSON.stringify({ post_type: "meta_event", meta_event_type: "heartbeat", self_id: 9000, time: 1 });
  const post = async (url: string, headers: Record<string, string>, body = event, method = "POST") =>
    (await fetch(url, { method, headers, ...(method === "POST" && { body }) })).status;
  const bearer = { authorization: "Bearer secret" };

  it("needs the signature or the token of its account", async () => {
    const { events, url } = await scene(11);
    expect(await post(events, {})).toBe(401);
    expect(await post(events, { "x-signature": `sha1=${"0".repeat(40)}` })).toBe(403);
    expect(await post(events, { "x-signature": "sha1=0" })).toBe(403);
    expect(await post(events, { authorization: "Bearer wrong" })).toBe(403);
    expect(await post(events, bearer)).toBe(204);
    expect(await post(`${events}/?access_token=secret`, {})).toBe(204);
    expect(await post(events.replace("v11", "v12"), { "x-signature": "sha1=0" })).toBe(401);
    expect(await post(`${url}/onebot/v11/webhook/bot-2`, bearer)).toBe(403);
    expect(await post(`${url}/onebot/v11/webhook/bot-2`, {})).toBe(401);
  });

  it.each(["v11", "v12"])(
    "gets the same answer from %s, whether its account exists or its proof is wrong",
    async (version) => {
      const { url } = await scene(11);
      const answers = async (name: string): Promise<unknown[]> => {
        const to = `${url}/onebot/${version}/webhook/${name}`;
        const right = createHmac("sha1", "other").update(event).digest("hex");
        const signatures = [right, "0", "ff".repeat(41), "é".repeat(40), "zz".repeat(20)].map((one) => `sha1=${one}`);
        const shown = [
          ...signatures.map((signature) => ({ "x-signature": signature })),
          { authorization: "Bearer wrong" },
          {},
        ];
        const responses = await Promise.all(
          shown.map((headers) => fetch(to, { method: "POST", headers, body: event })),
        );
        return responses.map(({ status, headers }) => [status, headers.get("www-authenticate")]);
      };
      const known = await answers("bot-1");
      expect(await answers("bot-2")).toEqual(known);
      expect(await answers("constructor")).toEqual(known);
      expect(known.map((one) => String(one).slice(0, 3))).toEqual(
        version === "v11" ? [...Array.from({ length: 6 }, () => "403"), "401"] : Array.from({ length: 7 }, () => "401"),
      );
    },
  );

  /** Sends the beginning of an event, and keeps the rest. */
  const begin = (to: string, headers: Record<string, string>) => {
    const begun = askServer(to, {
      method: "POST",
      headers: { "content-length": String(2 ** 20), ...headers },
      agent: false,
    });
    const { promise, resolve } = Promise.withResolvers<number>();
    begun.on("response", ({ statusCode = 0 }) => resolve(statusCode));
    begun.on("error", () => resolve(0));
    onTestFinished(() => void begun.destroy());
    begun.write("{");
    return { begun, status: promise };
  };
  const signed = { "x-signature": `sha1=${"0".repeat(40)}` };

  it("is refused before it is read if its account does not exist or has no HTTP, or its proof can only be wrong", async () => {
    const { url, events } = await scene(11);
    expect(await begin(`${url}/onebot/v11/webhook/bot-2`, signed).status).toBe(403);
    expect(await begin(events, { "x-signature": "sha1=0" }).status).toBe(403);
    expect(await begin(events, { authorization: "Bearer wrong" }).status).toBe(403);
    expect(await begin(events, {}).status).toBe(401);
    const other = await start();
    expect(await begin(`${other.url}/onebot/v11/webhook/bot-1`, signed).status).toBe(403);
  });

  it("counts when it begins, and its address has 64 of them at most", async () => {
    const { events, find } = await scene(11);
    await until(() => find()?.isOnline === true);
    const body = event;
    const right = { "x-signature": `sha1=${createHmac("sha1", "secret").update(body).digest("hex")}` };
    const all = Array.from({ length: 70 }, () => begin(events, signed));
    const refused: number[] = [];
    for (const { status } of all) void status.then((code) => refused.push(code));
    await until(() => refused.length === 6);
    expect(refused).toEqual(Array.from({ length: 6 }, () => 503));
    expect(await post(events, right)).toBe(503);
    expect(await post(events, bearer)).toBe(204);
    for (const { begun } of all) begun.destroy();
    await vi.waitUntil(async () => (await post(events, right)) === 204, patience);
  });

  it("must be JSON, of 1 MiB at most, and posted", async () => {
    const { events, url } = await scene(11);
    expect(await post(events, bearer, "no JSON")).toBe(400);
    expect(await post(events, bearer, `"${"x".repeat(2 ** 20)}"`)).toBe(413);
    expect(await post(events, bearer, "", "GET")).toBe(405);
    expect(await post(`${url}/onebot/v11/webhook`, bearer)).toBe(404);
    expect(await post(`${url}/onebot/v11/webhook/%`, bearer)).toBe(400);
  });

  it("is refused for an account that connects by WebSocket", async () => {
    const { url } = await start();
    expect(await post(`${url}/onebot/v11/webhook/bot-1`, bearer)).toBe(403);
  });
});

describe("a signed event that is posted again", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const heartbeat = (online: boolean, time = now()) =>
    JSON.stringify({
      post_type: "meta_event",
      meta_event_type: "heartbeat",
      interval: 5000,
      status: { online },
      self_id: 9000,
      time,
    });
  const post = async (events: string, body: string) => {
    const signature = createHmac("sha1", "secret").update(body).digest("hex");
    return (await fetch(events, { method: "POST", headers: { "x-signature": `sha1=${signature}` }, body })).status;
  };

  it("changes nothing of the state of the account", async () => {
    const { events, find, log } = await scene(11);
    await until(() => find()?.isOnline === true);
    const offline = heartbeat(false);
    expect(await post(events, offline)).toBe(204);
    expect(find()?.isOnline).toBe(false);
    expect(await post(events, heartbeat(true))).toBe(204);
    expect(find()?.isOnline).toBe(true);
    expect([await post(events, offline), await post(events, heartbeat(false, now() - 400))]).toEqual([204, 204]);
    expect(await post(events, heartbeat(false, now() + 400))).toBe(204);
    expect(find()?.isOnline).toBe(true);
    expect(log.lines.filter((line) => line.includes("replayed_event"))).toHaveLength(1);
  });

  it("to another server changes nothing there either", async () => {
    const storage = { ...createMemoryStorage(), close: () => Promise.resolve() };
    const [first, second] = [await scene(11, {}, storage), await scene(11, {}, storage)];
    const replayed = () => second.log.lines.filter((line) => line.includes("replayed_event"));
    const offline = heartbeat(false);
    expect([await post(first.events, offline), await post(second.events, heartbeat(true))]).toEqual([204, 204]);
    expect(replayed()).toHaveLength(0);
    expect(await post(second.events, offline)).toBe(204);
    expect(replayed()).toHaveLength(1);
  });

  it("counts while the storage does not answer, if it has not come to this server", async () => {
    const storage = createMemoryStorage();
    const claim = () => Promise.reject(new TelexError("storage_unavailable"));
    const { events, find, log } = await scene(11, {}, { ...storage, leases: { ...storage.leases, claim } });
    await until(() => find()?.isOnline === true);
    const offline = heartbeat(false);
    expect(await post(events, offline)).toBe(204);
    expect(find()?.isOnline).toBe(false);
    await post(events, heartbeat(true));
    await post(events, offline);
    expect(find()?.isOnline).toBe(true);
    expect(log.lines.filter((line) => line.includes("replayed_event"))).toHaveLength(1);
  });

  it("waits for the storage together with 63 others: further ones are refused", async () => {
    const storage = createMemoryStorage();
    const gate = Promise.withResolvers<boolean>();
    const leases = { ...storage.leases, claim: () => gate.promise };
    const { events, find } = await scene(11, {}, { ...storage, leases });
    await until(() => find()?.isOnline === true);
    const statuses: number[] = [];
    const countOf = (status: number): number => statuses.filter((one) => one === status).length;
    const given = Array.from({ length: 70 }, (_, age) => heartbeat(true, now() - age));
    const posted = Promise.all(given.map(async (event) => statuses.push(await post(events, event))));
    await until(() => countOf(503) === 6);
    gate.resolve(true);
    await posted;
    expect(countOf(204)).toBe(64);
  });

  it("brings its message nevertheless: bots tell later what was missed", async () => {
    const { events, find, telex, caller, alice, groupId } = await scene(11);
    await until(() => find()?.isOnline === true);
    const place = { post_type: "message", message_type: "group", group_id: 500, user_id: 1001, self_id: 9000 };
    const missed = JSON.stringify({ ...place, message_id: 7, time: now() - 86_400, message: "missed" });
    await post(events, heartbeat(false));
    for (let count = 0; count < 2; count += 1) expect(await post(events, missed)).toBe(204);
    const holder = await caller(alice);
    const stored = async () => (await telex.messages.history(holder, { groupId, groupType: 4 })).groupMessages;
    await vi.waitUntil(async () => (await stored()).length > 0, patience);
    expect((await stored()).map(({ content }) => content)).toEqual(['[{"text":{"text":"missed"}}]']);
    expect(find()?.isOnline).toBe(false);
  });
});

it("of a flood of events, what cannot wait is refused, and everything else is stored once", async () => {
  const clock = createManualClock();
  const { bot, find, events, telex, caller, alice, groupId } = await scene(12, { clock });
  await until(() => find()?.isOnline === true);
  // The first message waits for the name of its sender, and all others of its room wait for the first.
  bot.answers.set("get_group_member_info", () => null);
  const self = { platform: "qq", user_id: "9000" };
  const post = async (number: number): Promise<number> => {
    const message = [{ type: "text", data: { text: `${number}` } }];
    const place = { detail_type: "group", sub_type: "", group_id: "500", user_id: "1001" };
    const event = { id: `e${number}`, type: "message", self, time: 1, message_id: `m${number}`, message, ...place };
    const headers = { authorization: "Bearer secret" };
    return (await fetch(events, { method: "POST", headers, body: JSON.stringify(event) })).status;
  };
  const statuses: number[] = [];
  const countOf = (status: number): number => statuses.filter((one) => one === status).length;
  const posted = Promise.all(Array.from({ length: 400 }, async (_, number) => statuses.push(await post(number))));
  await until(() => countOf(204) === 256 && countOf(503) === 400 - 256 - 64);
  bot.answers.delete("get_group_member_info");
  await clock.advance(3000);
  await posted;
  expect([countOf(204), countOf(503)]).toEqual([320, 80]);
  const holder = await caller(alice);
  const page = { groupId, groupType: 4, pageSize: 1 } as const;
  const stored = async () => (await telex.messages.history(holder, page)).totalPage;
  await vi.waitUntil(async () => (await stored()) === 320, patience);
});
