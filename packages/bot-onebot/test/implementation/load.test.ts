import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRateLimiter } from "@telex/core/transport";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createLoad, weigh } from "../../src/implementation/connections/load.ts";
import { patience } from "../setup.ts";
import { start } from "./setup.ts";

const mebi = 2 ** 20;
/** A JSON text of this length in bytes, with as many values as fit. */
const values = (size: number): string => `[${"{},".repeat(size / 3)}0]`;
const post = async (url: string, token: string, type: string, body: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  const response = await fetch(url, { method: "POST", headers, body });
  return response.status === 200 ? response.json() : response.status;
};

it.each([
  [11, 1400],
  [12, 10_001],
] as const)(
  "a frame of OneBot %i with more than 1 MiB beside base64 is refused, and a picture is taken",
  async (version, retcode) => {
    const { connect, bot, http } = await start();
    const { raw, answer, ask } = await connect(version);
    const frame = `{"action":"get_status","params":{"a":${values(2 * mebi)}},"echo":"many"}`;
    raw(frame);
    const refused = await answer("many");
    expect([refused["retcode"], refused["message"]]).toEqual([retcode, expect.stringContaining("1 MiB")]);
    raw(`{"action":"get_status","params":{"a":${values(mebi / 2)}},"echo":"fewer"}`);
    expect(await answer("fewer")).toMatchObject({ retcode: 0 });
    expect(await ask("get_status", { a: `base64://${"aZ09+/".repeat(2 * mebi)}==` })).toMatchObject({ retcode: 0 });
    const url = version === 11 ? `${http}/v11/get_status` : `${http}/v12`;
    expect(await post(url, bot.token, "application/json", frame)).toMatchObject({ retcode });
  },
);

it("a form with more than 1 MiB beside base64 is refused, and a picture in a form is taken", async () => {
  const { bot, http } = await start();
  const form = "application/x-www-form-urlencoded";
  const told = async (body: string) => post(`${http}/v11/get_status`, bot.token, form, body);
  expect(await told("a=&".repeat(mebi))).toMatchObject({ retcode: 1400 });
  expect(await told(`a=base64://${encodeURIComponent("aZ09+/".repeat(mebi / 2))}`)).toMatchObject({ retcode: 0 });
});

it.each([11, 12] as const)("a frame or body of OneBot %i counts as one call more for each 32 KiB", async (version) => {
  const found: { limiter?: ReturnType<typeof createRateLimiter> } = {};
  const rate = { burst: 1000, perMinute: 1000 } as const;
  const limiterOf = (burst: number) =>
    createRateLimiter(
      { token: { burst, perMinute: 1 }, address: rate },
      { clock: { now: () => 0, after: () => () => {} }, limits: { rateEntries: 10 } },
    );
  const { connect, bot, http } = await start({ rateLimiter: () => found.limiter ?? limiterOf(1000) });
  const { ask } = await connect(version);
  const tooFast = version === 11 ? 1429 : 36_001;
  const large = { a: "A".repeat(10 * 32 * 1024) };
  found.limiter = limiterOf(12);
  // 11 calls, one that is left, and one too many, which is large, so that it is refused before it is parsed.
  expect(await ask("get_status", large)).toMatchObject({ retcode: 0 });
  expect(await ask("get_status")).toMatchObject({ retcode: 0 });
  expect(await ask("get_status", large)).toMatchObject({ retcode: tooFast });
  found.limiter = limiterOf(12);
  const [url, body] =
    version === 11 ? [`${http}/v11/get_status`, large] : [`${http}/v12`, { action: "get_status", params: large }];
  const told = () => post(url, bot.token, "application/json", JSON.stringify(body));
  // A request counts as one call before it is read.
  expect([await told(), await told()]).toMatchObject([{ retcode: 0 }, 429]);
});

it("actions in progress hold a bounded memory: then a user's further ones are refused, others go on, and it is given back", async () => {
  const held: ServerResponse[] = [];
  const pictures = createServer((_request, response) => void held.push(response)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    pictures.closeAllConnections();
    pictures.close();
  });
  await once(pictures, "listening");
  const host = `127.0.0.1:${z.object({ port: z.number() }).parse(pictures.address()).port}`;
  const { connect, groupId } = await start({ mediaAllow: [host] });
  const message = `[{"type":"image","data":{"file":"http://${host}/a.png"}}]`;
  const heavy = (echo: string, action: string): string =>
    `{"action":"${action}","params":{"group_id":${groupId},"message":${message},"a":${values(mebi - 1000)}},"echo":"${echo}"}`;
  const first = await connect();
  // No caller waits for the result of these, and their memory counts until they are done.
  for (const echo of ["a", "b", "c"]) {
    first.raw(heavy(echo, "send_group_msg_async"));
    expect(await first.answer(echo)).toMatchObject({ retcode: 1 });
  }
  await vi.waitUntil(() => held.length > 0, patience);
  const second = await connect();
  second.raw(heavy("d", "send_group_msg"));
  const refused = await second.answer("d");
  expect([refused["retcode"], refused["message"]]).toEqual([1429, expect.stringContaining("memory")]);
  expect(await second.ask("get_status")).toMatchObject({ retcode: 0 });
  const give = setInterval(() => held.splice(0).forEach((response) => response.writeHead(404).end()), 10);
  onTestFinished(() => clearInterval(give));
  await vi.waitUntil(async () => {
    const echo = crypto.randomUUID();
    second.raw(heavy(echo, "send_group_msg"));
    return (await second.answer(echo))["retcode"] !== 1429;
  }, patience);
});

it("one user holds at most half of what all may hold, and all is given back", () => {
  const load = createLoad();
  const { weight } = weigh(values(mebi - 1000));
  const take = (userId: number): (() => void)[] => {
    const leaves: (() => void)[] = [];
    while (!load.isFull(userId, weight)) leaves.push(load.hold(userId, weight));
    return leaves;
  };
  const [one, two, three, four] = [take(1), take(2), take(3), take(4)];
  expect([one.length, two.length, three.length, four.length]).toEqual([3, 3, 1, 0]);
  [...one, ...two, ...three].forEach((leave) => leave());
  expect(take(4)).toHaveLength(3);
});

it("the value of a text takes no more memory than its weight", () => {
  setFlagsFromString("--expose-gc");
  const gc = z.function({ input: [], output: z.void() }).implement(runInNewContext("gc"));
  for (const part of ["{}", '{"31":0}', "[{}]", "[]", '"a"']) {
    const text = `[${`${part},`.repeat(mebi / (part.length + 1))}0]`;
    gc();
    const before = process.memoryUsage().heapUsed;
    const value: unknown = JSON.parse(text);
    gc();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(weigh(text).weight);
    expect(value).toBeInstanceOf(Array);
  }
});
