import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { start } from "./server.ts";

const document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ security: z.array(z.record(z.string(), z.unknown())).optional() })),
  ),
});

/** Headers of requests that no page of the server makes. */
const strange = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "none" },
  { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
  {},
] as const;

const sockets = ["im/imWebSocket", "teleprinter/webSocket?deviceId=hall", "sseStream/webSocket"];

/** The status with which an upgrade is refused; 101 if it is accepted. */
const upgrade = async (url: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  await new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/${path}`, { headers });
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.once("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.once("error", reject);
  });

describe("the cookie of a session", () => {
  it("counts from pages of the server only, for each operation that needs a caller", async () => {
    const { member, url } = await start();
    const { browser } = await member("carol", "admin");
    const { paths } = document.parse(await (await fetch(`${url}/openapi.json`)).json());
    expect(Object.keys(paths)).toContain("/external/api/v1/account/password");
    const wrong: string[] = [];
    let count = 0;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security = [{}] }] of Object.entries(methods)) {
        if (security.length === 0 || security.some((one) => Object.keys(one).length === 0)) continue;
        const headers = {
          cookie: browser.cookie,
          "content-type": "application/json",
          ...strange[count % strange.length],
        };
        const target = `${url}${path.replaceAll(/\{\w+\}/g, "1")}`;
        const body = method === "get" || method === "head" ? {} : { body: "{}" };
        const response = await fetch(target, { method: method.toUpperCase(), headers, ...body });
        if (response.status !== 403 || !(await response.text()).includes("cross_origin"))
          wrong.push(`${method} ${path}: ${response.status}`);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
    expect(await browser.get("/account")).toMatchObject({ status: 200 });
  });

  it.each(sockets)("opens %s from pages of the server only", async (path) => {
    const { member, url } = await start();
    const { cookie } = (await member("carol")).browser;
    for (const headers of strange)
      expect([headers, await upgrade(url, path, { cookie, ...headers })]).toEqual([headers, 403]);
    expect(await upgrade(url, path, { cookie, origin: url })).toBe(101);
    expect(await upgrade(url, path, { cookie, "sec-fetch-site": "same-origin" })).toBe(101);
  });

  it("is given over HTTP beyond this machine only where the operator permits it", async () => {
    const baseUrl = "http://telex.example";
    const enter = async (insecureCookies: boolean) => {
      const { browser, invite } = await start({ baseUrl, insecureCookies });
      const body = { secret: await invite(), username: "carol", password: "a long password" };
      return await browser().post("/account/join", body, { headers: { origin: baseUrl } });
    };
    const given = await enter(true);
    expect(given.status).toBe(200);
    expect(given.headers.get("set-cookie")).toMatch(/^telex-80=tlxs_\w+; Path=\/; HttpOnly; SameSite=Lax$/);
    const refused = await enter(false);
    expect(refused).toMatchObject({ status: 403, error: "cross_origin" });
    expect(refused.headers.get("set-cookie")).toBeNull();
  });

  it("is nobody's among thousands of others, twice, or with anything added", async () => {
    const { member, url } = await start();
    const { cookie } = (await member("carol")).browser;
    const open = async (sent: string): Promise<number> => {
      const headers = { cookie: sent, origin: url };
      return (await fetch(`${url}/external/api/v1/account`, { headers })).status;
    };
    const others = Array.from({ length: 2000 }, (_, index) => `a${index}=`).join(";");
    expect(await open(`${others}; ${cookie}`)).toBe(200);
    expect(await open(`${cookie}; ${cookie}`)).toBe(401);
    expect(await open(`${cookie}x`)).toBe(401);
    expect(await open(`x${cookie}`)).toBe(401);
    expect(await open(`a=${"b".repeat(17_000)}; ${cookie}`)).toBe(431);
  });
});
