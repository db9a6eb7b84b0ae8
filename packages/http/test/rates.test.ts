import { Readable } from "node:stream";
import type { Clock } from "@telex/core";
import { defaultLimits, systemClock } from "@telex/core";
import { createRateLimiter, type RateLimiter } from "@telex/core/transport";
import { createSharpEngine } from "@telex/image-text/sharp";
import { expect, it } from "vitest";
import { closeAfterTest, overBothTransports, setup, teleprinter } from "./setup.ts";

const rates = { token: { burst: 3, perMinute: 60 }, address: { burst: 20, perMinute: 60 } };

const limiter = (clock: Clock): RateLimiter => createRateLimiter(rates, { clock, limits: defaultLimits });

/** A clock that the test moves. */
function movedClock(): { clock: Clock; move: (milliseconds: number) => void } {
  let ahead = 0;
  return {
    clock: { ...systemClock, now: () => 1_800_000_000_000 + ahead },
    move: (milliseconds) => void (ahead += milliseconds),
  };
}

overBothTransports("with rate limits", (open) => {
  it("a token may call so often, and again after a while", async () => {
    const { clock, move } = movedClock();
    const { send, alice, bob } = await open({ rateLimiter: limiter(clock), telex: { clock } });
    const call = (token: string) => send(`${teleprinter}/devices`, { token });
    for (const left of ["2", "1", "0"]) {
      const answer = await call(alice.token);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("ratelimit")).toContain(`"token";r=${left}`);
    }
    const refused = await call(alice.token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("ratelimit-policy")).toBe('"token";q=3;w=3');
    expect(await refused.json()).toMatchObject({ code: 429, data: { error: "rate_limited" } });
    expect((await call(bob.token)).status).toBe(200);
    move(1000);
    expect((await call(alice.token)).status).toBe(200);
  });
});

const overSocket = (trustProxy: boolean | number) => {
  const { clock } = movedClock();
  return setup("over a socket", { rateLimiter: limiter(clock), trustProxy, telex: { clock } });
};

it("calls without a token are counted by their address, and by their cost", async () => {
  const { send } = await overSocket(false);
  const code = () => send("/api/storage/generateCode");
  expect((await code()).headers.get("ratelimit")).toContain('"address";r=10');
  expect((await code()).headers.get("ratelimit")).toContain('"address";r=0');
  expect((await code()).status).toBe(429);
  expect((await send("/healthz")).status).toBe(200);
});

it("tokens that are not valid are counted by their address", async () => {
  const { send } = await overSocket(false);
  const call = (token: string) => send(`${teleprinter}/devices`, { token });
  const statuses = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await call(`guess${count}`)).status);
  expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true);
  expect(statuses[20]).toBe(429);
});

it.each(["/openapi.json", "/asyncapi.json", "/reference"])("the page %s is a call like any other", async (path) => {
  const { clock } = movedClock();
  const documents = { "/asyncapi.json": () => ({}) };
  const { send } = await setup("over a socket", { rateLimiter: limiter(clock), documents, telex: { clock } });
  const [first] = await Promise.all(Array.from({ length: 20 }, () => send(path)));
  expect(first?.headers.get("ratelimit-policy")).toContain('"address"');
  const refused = await send(path);
  expect([refused.status, await refused.json()]).toMatchObject([429, { data: { error: "rate_limited" } }]);
  expect((await send("/healthz")).status).toBe(200);
});

it("a forwarded address counts only behind a proxy", async () => {
  const forwarded = { "x-forwarded-for": "203.0.113.7" };
  const path = "/api/avatar/get/personal?id=1";
  const direct = await overSocket(false);
  for (let count = 0; count < 20; count += 1) await direct.send(path);
  expect((await direct.send(path, { headers: forwarded })).status).toBe(429);
  // Fewer hops than proxies: the request has not passed through all of them, so the header is not theirs.
  const twice = await overSocket(2);
  for (let count = 0; count < 20; count += 1) await twice.send(path);
  expect((await twice.send(path, { headers: forwarded })).status).toBe(429);
  const proxied = await overSocket(1);
  for (let count = 0; count < 20; count += 1) await proxied.send(path);
  expect((await proxied.send(path, { headers: forwarded })).status).toBe(200);
});

it("without an address nothing is counted by it", async () => {
  const { send } = await setup("in process", { rateLimiter: limiter(systemClock) });
  const answer = await send("/api/avatar/get/personal?id=1");
  expect(answer.headers.get("ratelimit")).toBeNull();
});

it("a long page of history counts as one more call for each 64 KiB", async () => {
  const { clock } = movedClock();
  const rateLimiter = createRateLimiter(
    { token: { burst: 10, perMinute: 60 }, address: { burst: 10, perMinute: 60 } },
    { clock, limits: defaultLimits },
  );
  const { send, telex, alice } = await setup("over a socket", { rateLimiter, telex: { clock } });
  const caller = await telex.authenticate(alice.token);
  await telex.teleprinter.register(caller, { deviceId: "d", name: "Printer" });
  for (let text = 0; text < 100; text += 1) {
    await telex.teleprinter.send(caller, { deviceId: "d", content: "x".repeat(2000) });
  }
  const page = (pageSize: number) =>
    send(`${teleprinter}/messages?deviceId=d&pageSize=${pageSize}`, { token: alice.token });
  expect((await page(1)).headers.get("ratelimit")).toContain("r=9");
  expect((await page(100)).headers.get("ratelimit")).toContain("r=8");
  expect((await page(1)).headers.get("ratelimit")).toContain("r=4");
  await page(100);
  expect((await page(1)).status).toBe(429);
});

it("a picture counts as one more call for each megapixel that is decoded, and not when its text is kept", async () => {
  const { clock } = movedClock();
  const rateLimiter = createRateLimiter(
    { token: { burst: 30, perMinute: 60 }, address: { burst: 30, perMinute: 60 } },
    { clock, limits: defaultLimits },
  );
  const limits = { ...defaultLimits, imagePixels: 8_000_000 };
  const engine = createSharpEngine();
  closeAfterTest(() => engine.close());
  const { send, telex, alice } = await setup("over a socket", { rateLimiter, telex: { clock, limits } });
  const caller = await telex.authenticate(alice.token);
  const store = async (width: number, height: number): Promise<string> => {
    const bytes = await engine.encode(new Uint8Array(3 * width * height), width, height);
    const file = { name: "picture.jpg", mime: "image/jpeg", bytes: Readable.from([bytes]) };
    return (await telex.bucket.upload(caller, { file })).file_id;
  };
  const [small, large, tooLarge] = [await store(100, 100), await store(3000, 2000), await store(3000, 3000)];
  const left = async (file_id: string): Promise<string | undefined> => {
    const answer = await send(`/api/generate/imagetotext?file_id=${file_id}`, { token: alice.token });
    return /r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1];
  };
  // Each response reports the rest before its own picture was charged.
  expect(await left(small)).toBe("29");
  expect(await left(large)).toBe("28");
  expect(await left(large)).toBe("21");
  expect(await left(tooLarge)).toBe("20");
  expect(await left(small)).toBe("19");
});
