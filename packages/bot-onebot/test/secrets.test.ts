import { createHmac, hash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { operator, TelexError } from "@telex/core";
import { until } from "@telex/conformance/testing";
import { createRateLimiter, type RateLimiter } from "@telex/core/transport";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { createOneBot, type OneBotOptions } from "../src/index.ts";
import { account, patience, start } from "./setup.ts";

/** A server whose addresses have 10 calls, and get none back within the test. */
async function limited(options: Partial<OneBotOptions> = {}) {
  const found: { limiter?: RateLimiter } = {};
  const rateLimiter = (): RateLimiter => {
    if (found.limiter === undefined) throw new Error("There is no limiter yet.");
    return found.limiter;
  };
  const here = await start({ rateLimiter, ...options });
  const rate = { burst: 10, perMinute: 0.001 };
  found.limiter = createRateLimiter({ token: rate, address: rate }, here.telex);
  const knock = (token: string, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(here.at(), { headers: { authorization: `Bearer ${token}`, ...headers } });
      onTestFinished(() => socket.terminate());
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
      socket.on("open", () => resolve(101));
      socket.on("error", () => undefined);
    });
  const post = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${here.url}/onebot/v11/webhook/bot-1`, { method: "POST", headers, body: "{}" })).status;
  };
  /** Posts an event with the signature of another one, or of the same. */
  const postSigned = async (body: string, of: string): Promise<number> => {
    const headers = { "x-signature": `sha1=${createHmac("sha1", "secret").update(of).digest("hex")}` };
    return (await fetch(`${here.url}/onebot/v11/webhook/bot-1`, { method: "POST", headers, body })).status;
  };
  return { ...here, knock, post, postSigned };
}

describe("an address that tries secrets", () => {
  it("is refused after some, on sockets and webhooks together, even with the right one", async () => {
    const { knock, post, log } = await limited();
    expect(await knock("secret")).toBe(101);
    const wrong = [];
    for (let count = 0; count < 6; count += 1) wrong.push(await knock(`wrong-${count}`), await post(`wrong-${count}`));
    expect(wrong.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 403));
    expect([wrong[11], await knock("secret"), await post("secret")]).toEqual([429, 429, 429]);
    const faults = log.lines.filter((line) => line.includes("onebot.fault"));
    expect(faults).toHaveLength(2);
    expect(faults.join("\n")).not.toMatch(/wrong-\d/);
  });

  it("is refused after some events that it does not send to the end, and right ones do not count", async () => {
    const { url, post, postSigned } = await limited({ accounts: [{ ...account, connect: "http://127.0.0.1:9" }] });
    for (let count = 0; count < 20; count += 1) expect(await postSigned("{}", "{}")).toBe(204);
    for (let count = 0; count < 11; count += 1) {
      const headers = { "content-length": "100", "x-signature": `sha1=${"0".repeat(40)}` };
      const begun = request(`${url}/onebot/v11/webhook/bot-1`, { method: "POST", headers, agent: false });
      begun.on("error", () => undefined);
      begun.write("{");
      await once(begun, "socket");
      const [socket] = [begun.socket];
      if (socket?.connecting === true) await once(socket, "connect");
      onTestFinished(() => void begun.destroy());
    }
    await vi.waitUntil(async () => (await post("secret")) === 429, patience);
  });

  it("does not shut out others behind the same trusted proxy", async () => {
    const { knock } = await limited({ trustProxy: true });
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (let count = 0; count < 12; count += 1) await knock("wrong", from("203.0.113.7"));
    expect(await knock("secret", from("203.0.113.7"))).toBe(429);
    expect(await knock("secret", from("203.0.113.8"))).toBe(101);
  });
});

const stored = {
  name: null,
  gateway: "onebot",
  network: "qq",
  official: false,
  secret: null,
  connect: null,
  protocol: 0,
  minInterval: 0,
  createdAt: 1,
};

describe("the secret of a stored account", () => {
  const issueOf = async (changing: Promise<unknown>): Promise<unknown> =>
    changing.then(
      () => null,
      (error: unknown) =>
        error instanceof TelexError ? [error.code, error.issues?.map(({ path, problem }) => [path, problem])] : error,
    );

  it("has at least 8 characters, unless it was stored before", async () => {
    const storage = createMemoryStorage();
    await storage.bots.appendBot({ ...stored, account: "bot-0", digest: hash("sha256", "short") });
    const { telex, at } = await start({ accounts: [] }, storage);
    const { bots } = telex.operator;
    for (const secret of ["", "7-chars"]) {
      const refused = ["invalid_request", [["secret", "too_short"]]];
      expect(await issueOf(bots.add(operator, { account: "bot-1", secret }))).toEqual(refused);
    }
    await bots.add(operator, { account: "bot-1", secret: "8-chars!" });
    expect(await issueOf(bots.amend(operator, { account: "bot-1", secret: "7-chars" }))).not.toBeNull();
    const socket = new WebSocket(at(), { headers: { authorization: "Bearer short" } });
    await once(socket, "open");
    socket.terminate();
  });

  it.each([
    "with a space",
    " begins-with-one",
    "ends-with-one\n",
    "nul\u0000byte",
    "密钥密钥密钥密钥",
    "🔑🔑🔑🔑🔑🔑🔑🔑",
  ])("that no bot can show is refused: %j", async (secret) => {
    const { telex } = await start({ accounts: [] });
    const { bots } = telex.operator;
    await bots.add(operator, { account: "bot-1" });
    for (const changing of [
      bots.add(operator, { account: "bot-2", secret }),
      bots.amend(operator, { account: "bot-1", secret }),
    ]) {
      const refused: unknown = await issueOf(changing);
      expect(refused).toEqual(["invalid_request", expect.arrayContaining([["secret", "secret"]])]);
    }
    expect(() => createOneBot({ accounts: [{ ...account, token: secret }] })).toThrow(
      "createOneBot: accounts.0.token is wrong. It has a space or a character that is not ASCII",
    );
  });

  it("is not that of another one, stored or of the program", async () => {
    const { telex } = await start({ accounts: [{ ...account, token: "secret-of-the-program" }] });
    const { bots } = telex.operator;
    await bots.add(operator, { account: "bot-2", secret: "secret-of-bot-2" });
    await bots.add(operator, { account: "bot-3", secret: "secret-of-bot-3" });
    const taken = ["invalid_request", [["secret", "secret_taken"]]];
    for (const secret of ["secret-of-the-program", "secret-of-bot-2"]) {
      expect(await issueOf(bots.add(operator, { account: "bot-4", secret }))).toEqual(taken);
      expect(await issueOf(bots.amend(operator, { account: "bot-3", secret }))).toEqual(taken);
    }
    expect((await bots.list(operator, {})).map(({ account: name }) => name)).toEqual(["bot-1", "bot-2", "bot-3"]);
  });

  it("that was stored while no server ran is not served if the program has it", async () => {
    const storage = createMemoryStorage();
    await storage.bots.appendBot({ ...stored, account: "bot-2", digest: hash("sha256", "secret") });
    const { find, log } = await start({}, storage);
    await until(() => log.lines.some((line) => line.includes("onebot.fault") && line.includes("bot-2")));
    expect([find("bot-2"), find("bot-1")]).toMatchObject([null, { account: "bot-1" }]);
  });
});
