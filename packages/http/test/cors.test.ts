import { defaultLimits, systemClock } from "@telex/core";
import { createRateLimiter } from "@telex/core/transport";
import { describe, expect, it } from "vitest";
import { createCors } from "../src/server/cors.ts";
import { setup } from "./setup.ts";

const app = "https://app.example";
const other = "https://other.example";
const onePixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
const corsNames = ["access-control-allow-origin", "access-control-allow-credentials", "access-control-expose-headers"];
const devices = "/external/api/v1/teleprinter/devices";

const preflight = (origin: string, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "OPTIONS",
  headers: { origin, "access-control-request-method": "POST", ...headers },
});

const corsOf = ({ headers }: Response): (string | null)[] => corsNames.map((name) => headers.get(name));

describe.each(["in process", "over a socket"] as const)("%s", (transport) => {
  it("answers no origin without the option, and names no origin in its responses", async () => {
    const { send, alice } = await setup(transport);
    expect((await send(devices, preflight(app))).status).toBe(405);
    const response = await send(devices, { token: alice.token, headers: { origin: app } });
    expect(response.status).toBe(200);
    expect(corsOf(response)).toEqual([null, null, null]);
    expect(response.headers.get("vary")).toBeNull();
  });

  it("lets a preflight of an allowed origin pass without a token, with the headers that it asks for", async () => {
    const { send } = await setup(transport, { cors: [app] });
    const asked = { "access-control-request-headers": "authorization,content-type,x-stainless-os" };
    const response = await send("/v1/chat/completions", preflight(app, asked));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": app,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
      "access-control-allow-headers": "authorization,content-type,x-stainless-os",
      "access-control-max-age": "600",
      vary: "access-control-request-headers, origin",
    });
  });

  it("lets an allowed origin read successes and failures, also those of a limit, of nothing and of a wrong method", async () => {
    const rate = { burst: 1, perMinute: 1 };
    const rateLimiter = createRateLimiter(
      { token: rate, address: rate },
      { clock: systemClock, limits: defaultLimits },
    );
    const { send, alice } = await setup(transport, { cors: [app], rateLimiter });
    const ask = async (path: string, init: Parameters<typeof send>[1] = {}) =>
      await send(path, { ...init, headers: { origin: app } });
    const responses = [
      await ask(devices, { token: alice.token }),
      await ask(devices, { token: alice.token }),
      await ask(devices, { token: "tlxp_wrong" }),
      await ask("/none"),
      await ask(devices, { method: "PUT" }),
      await ask("/healthz"),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 429, 401, 404, 405, 200]);
    for (const response of responses) {
      expect(corsOf(response)).toEqual([
        app,
        "true",
        expect.stringContaining("retry-after, www-authenticate, x-cache"),
      ]);
      expect(response.headers.get("vary")).toBe("origin");
    }
  });

  it("lets no other origin read anything, and tells caches that responses differ by origin", async () => {
    const { send, alice } = await setup(transport, { cors: [app] });
    for (const origin of [other, "null", `${app}.evil.example`, "http://app.example", app.toUpperCase()]) {
      const refused = await send(devices, preflight(origin));
      expect(refused.status).toBe(405);
      expect(corsOf(refused)).toEqual([null, null, null]);
      const response = await send(devices, { token: alice.token, headers: { origin } });
      expect(corsOf(response)).toEqual([null, null, null]);
      expect(response.headers.get("vary")).toBe("origin");
    }
    expect((await send("/healthz")).headers.get("vary")).toBe("origin");
  });

  it("lets pages of other origins embed downloads, with the option only", async () => {
    for (const [cors, policy] of [[[], "same-origin"] as const, [[app], "cross-origin"] as const]) {
      const { send, alice } = await setup(transport, { cors });
      const form = new FormData();
      form.set("file", new File([onePixel], "a.gif"));
      const upload = await send("/external/api/v1/bucket/upload", { method: "POST", body: form, token: alice.token });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the response of an upload
      const { data } = (await upload.json()) as { data: { file_id: string } };
      const { headers } = await send(`/download/${data.file_id}.gif`);
      expect(headers.get("cross-origin-resource-policy")).toBe(policy);
    }
  });

  it("lets all origins read without credentials", async () => {
    const { send } = await setup(transport, { cors: ["*"] });
    const response = await send("/healthz", { headers: { origin: other } });
    expect(corsOf(response)).toEqual(["*", null, expect.any(String)]);
    expect(response.headers.get("vary")).toBeNull();
    expect((await send(devices, preflight(other))).headers.get("access-control-allow-origin")).toBe("*");
  });

  it("lets an allowed origin read an event stream", async () => {
    const { send, alice } = await setup(transport, { cors: [app] });
    const response = await send("/external/api/v1/sseStream/chat", {
      method: "POST",
      token: alice.token,
      headers: { origin: app, "content-type": "application/json" },
      body: JSON.stringify({ content: "hello" }),
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("access-control-allow-origin")).toBe(app);
    expect(await response.text()).toContain("hello");
  });
});

it.each([
  [["app.example"]],
  [["https://app.example/"]],
  [["https://app.example/path"]],
  [["https://*.example"]],
  [["null"]],
  [["*", app]],
])("%j are no origins", (origins) => {
  expect(() => createCors(origins)).toThrow(/The option cors must be origins such as https:\/\/app.example/);
});
