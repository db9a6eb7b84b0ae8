import { defaultLimits, systemClock, TelexError } from "@telex/core";
import { createRateLimiter } from "@telex/core/transport";
import { expect, it } from "vitest";
import { createHttp, type PluginForm } from "../src/index.ts";
import { host } from "./host.ts";
import { overBothTransports, setup } from "./setup.ts";

const headers = { "content-type": "text/html; charset=utf-8" };

/** A form that shows the fields that it gets. */
const echo: PluginForm = {
  path: "/user/echo",
  async answer({ fields, query, locale, request }) {
    request.setHeader("x-seen", request.header("user-agent") ?? "");
    if (query.has("break")) throw new Error("a secret of the database");
    if (fields?.has("refuse") === true) throw new TelexError("link_ended");
    const body = fields === null ? `form ${locale}` : JSON.stringify([...fields]);
    return { status: 200, headers, body };
  },
  refuse: ({ code }, locale) => ({ status: 418, headers, body: `${code} ${locale}` }),
};

const form = (fields: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: fields,
});

overBothTransports("a form of a plug-in", (open) => {
  it("is shown, takes fields, and sets headers", async () => {
    const { send } = await open({ forms: [echo] });
    const shown = await send("/user/echo?lang=zh", { headers: { "user-agent": "a browser" } });
    expect([await shown.text(), shown.headers.get("x-seen")]).toEqual(["form zh-CN", "a browser"]);
    expect(await (await send("/user/echo", form("a=1&b=%E8%8C%B6+x"))).text()).toBe('[["a","1"],["b","茶 x"]]');
    const head = await send("/user/echo", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each([
    ["a field twice", form("a=1&a=2"), "invalid_request en"],
    [
      "another body",
      { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
      "unsupported_media en",
    ],
    ["too many bytes", form(`a=${"b".repeat(20_000)}`), "too_large en"],
    ["what it refuses itself", form("refuse="), "link_ended en"],
  ])("answers %s with its page", async (_what, request, expected) => {
    const { send } = await open({ forms: [echo] });
    const answer = await send("/user/echo", request);
    expect([answer.status, await answer.text()]).toEqual([418, expected]);
  });

  it("says nothing of an error that nobody expected, but to the log", async () => {
    const { send, log } = await open({ forms: [echo] });
    expect(await (await send("/user/echo?break=1")).text()).toBe("internal en");
    expect(log.join()).toContain("a secret of the database");
  });
});

it("a form is counted, ten times as much for fields", async () => {
  const rates = { token: { burst: 1, perMinute: 60 }, address: { burst: 25, perMinute: 60 } };
  const rateLimiter = createRateLimiter(rates, { clock: { ...systemClock, now: () => 1 }, limits: defaultLimits });
  const { send } = await setup("over a socket", { forms: [echo], rateLimiter });
  const answers: string[] = [];
  for (let round = 0; round < 3; round += 1) answers.push(await (await send("/user/echo", form("a=1"))).text());
  expect(answers).toEqual(['[["a","1"]]', '[["a","1"]]', "rate_limited en"]);
});

it("fields that a parser of the host has read are taken from there", async () => {
  const { http } = await setup("in process", { forms: [echo] });
  const url = await host((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      Object.assign(req, { body: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())) });
      http.node(req, res);
    });
  });
  expect(await (await fetch(`${url}/user/echo`, form("a=1&b=2"))).text()).toBe('[["a","1"],["b","2"]]');
});

it("forms cannot be offered below a base path, because they lead to each other", async () => {
  const { telex } = await setup("in process");
  expect(() => createHttp(telex, { basePath: "/telex", forms: [echo] })).toThrow(/below a base path/);
});
