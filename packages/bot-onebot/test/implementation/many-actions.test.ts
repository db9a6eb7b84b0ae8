import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { request, type ClientRequest } from "node:http";
import { unlimited } from "@telex/core/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createIncoming } from "../../src/link/incoming.ts";
import { patience } from "../setup.ts";
import { type Framework, start } from "./setup.ts";

/** Counts the actions that have begun. */
function counting() {
  const begun = { count: 0 };
  const count: typeof unlimited.count = (...call) => {
    begun.count += 1;
    return unlimited.count(...call);
  };
  return { begun, rateLimiter: { ...unlimited, count } };
}

/** Sends actions without waiting for answers. */
const fire = ({ raw }: Framework, action: string, params: object, count: number): string[] => {
  const echoes = Array.from({ length: count }, (_, index) => `many-${index}`);
  for (const echo of echoes) raw(JSON.stringify({ action, params, echo }));
  return echoes;
};

/** The echoes of the received answers. */
const answered = ({ frames }: Framework): string[] =>
  frames.flatMap(({ echo, retcode }) =>
    retcode === 0 && typeof echo === "string" && echo.startsWith("many-") ? [echo] : [],
  );

describe("a framework that waits for no answer", () => {
  it.each(["", "/api"])("gets the answer to each of 500 actions on %j", async (path) => {
    const { connect, groupId, bob } = await start();
    const bot = await connect(11, { path });
    const echoes = fire(bot, "get_group_member_info", { group_id: groupId, user_id: bob.id }, 500);
    await vi.waitUntil(() => answered(bot).length === 500, patience);
    expect(new Set(answered(bot))).toEqual(new Set(echoes));
    expect(await bot.ask("get_status")).toMatchObject({ retcode: 0 });
  });

  it("and reads slowly gets each of them, and further actions wait until it reads", async () => {
    const { begun, rateLimiter } = counting();
    const { connect, upload, bot } = await start({ rateLimiter });
    const file = await upload(bot, "large.bin", randomBytes(2 ** 20));
    const [slow, other] = [await connect(12), await connect(12)];
    slow.socket.pause();
    const echoes = fire(slow, "get_file", { file_id: file, type: "data" }, 100);
    await vi.waitUntil(() => begun.count > 4, patience);
    for (let asked = 0; asked < 50; asked += 1) await other.ask("get_status");
    // Bytes that the operating system holds for the other side count as sent.
    expect(begun.count).toBeLessThan(50 + 80);
    slow.socket.resume();
    await vi.waitUntil(() => answered(slow).length === 100, patience);
    expect(new Set(answered(slow))).toEqual(new Set(echoes));
  });

  it("and goes away does nothing that it asked for later", async () => {
    const { connect, groupId, stored } = await start();
    const bot = await connect();
    fire(bot, "send_group_msg", { group_id: groupId, message: "x" }, 500);
    bot.socket.terminate();
    await once(bot.socket, "close");
    const other = await connect();
    expect(await other.ask("get_status")).toMatchObject({ retcode: 0 });
    expect((await stored()).length).toBeLessThan(500);
  });
});

describe("a body of a framework", () => {
  /** Begins a request with a body of 4 MiB, and sends this number of its bytes. */
  const begin = (url: string, token: string, sent: number, isAnnounced: boolean) => {
    const length = isAnnounced ? { "content-length": String(4 * 2 ** 20) } : {};
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...length };
    const begun = request(`${url}/v11/get_status`, { method: "POST", headers, agent: false });
    const { promise, resolve } = Promise.withResolvers<number>();
    begun.on("response", ({ statusCode = 0 }) => resolve(statusCode));
    begun.on("error", () => resolve(0));
    onTestFinished(() => void begun.destroy());
    begun.write(" ".repeat(sent));
    return { begun, status: promise };
  };
  const finish = (begun: ClientRequest): void => {
    if (!begun.destroyed) begun.end(`{"x":"${"y".repeat(4 * 2 ** 20 - 2 ** 21 - 8)}"}`);
  };

  it.each([true, false])("above 1 MiB has one of 4 places of its user (announced: %j)", async (isAnnounced) => {
    const { http, bot } = await start();
    const all = Array.from({ length: 6 }, () => begin(http, bot.token, 2 ** 21, isAnnounced));
    const statuses: number[] = [];
    for (const { status } of all) void status.then((code) => statuses.push(code));
    await vi.waitUntil(() => statuses.length === 2, patience);
    expect(statuses).toEqual([429, 429]);
    const small = begin(http, bot.token, 10, false);
    small.begun.end("{}");
    expect(await small.status).toBe(200);
    for (const { begun } of all) finish(begun);
    await vi.waitUntil(() => statuses.length === 6, patience);
    expect(statuses).toEqual([429, 429, 200, 200, 200, 200]);
    const next = begin(http, bot.token, 2 ** 21, isAnnounced);
    finish(next.begun);
    expect(await next.status).toBe(200);
  });

  it("counts among the bytes of unfinished frames, of which the most are cut", async () => {
    const { http, bot, log } = await start({ incoming: createIncoming(6 * 2 ** 20) });
    const small = begin(http, bot.token, 2 ** 20, true);
    const large = begin(http, bot.token, 3 * 2 ** 20, true);
    const other = begin(http, bot.token, 2 ** 21, true);
    expect(await large.status).toBe(0);
    expect(log.lines.filter((line) => line.includes("too_much"))).toHaveLength(1);
    finish(other.begun);
    expect(await other.status).toBe(200);
    small.begun.destroy();
  });
});
