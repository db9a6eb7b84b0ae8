import { json } from "node:stream/consumers";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { describe, expect, it } from "vitest";
import { createHttp } from "../src/server/app.ts";
import { host } from "./host.ts";
import { openRaw } from "./raw.ts";
import { setup, teleprinter } from "./setup.ts";

const registration = { deviceId: "printer", name: "Kitchen" };

const register = (url: string, token: string): Promise<Response> =>
  fetch(`${url}${teleprinter}/register`, {
    method: "POST",
    body: JSON.stringify(registration),
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
  });

describe("Telex in a server of somebody else", () => {
  it("answers under a base path, and nowhere else", async () => {
    const { http, alice } = await setup("in process", { basePath: "/in/telex" });
    const url = await host(http.node);
    expect((await register(`${url}/in/telex`, alice.token)).status).toBe(200);
    expect((await register(url, alice.token)).status).toBe(404);
    expect((await fetch(`${url}/in/telex/healthz`)).status).toBe(200);
  });

  it("refuses a base path that it could not be reached under", async () => {
    const { telex } = await setup("in process");
    for (const basePath of ["telex", "/telex/", "/", "/te lex", "/:id"]) {
      expect(() => createHttp(telex, { basePath })).toThrow("base path");
    }
  });

  it("is refused an upload that may take so long that a sweep would remove it", async () => {
    const { telex } = await setup("in process");
    const half = telex.limits.orphanAge / 2;
    expect(() => createHttp(telex, { limits: { uploadTime: half } })).not.toThrow();
    expect(() => createHttp(telex, { limits: { uploadTime: half + 1 } })).toThrow(
      `limits.uploadTime of createHttp must be at most half of limits.orphanAge of createTelex, which is ${half} ms, not ${half + 1}`,
    );
  });

  it("takes a path that its host has shortened", async () => {
    const { http, alice } = await setup("in process");
    const url = await host((req, res) => {
      req.url = req.url?.replace(/^\/telex/, "") ?? "";
      http.node(req, res);
    });
    expect((await register(`${url}/telex`, alice.token)).status).toBe(200);
  });

  it("takes a body that a parser of its host has read", async () => {
    const { http, alice } = await setup("in process");
    const url = await host((req, res) => {
      void json(req).then((body) => http.node(Object.assign(req, { body }), res));
    });
    const answer = await register(url, alice.token);
    expect(await answer.json()).toMatchObject({ code: 200, data: registration });
  });

  it("takes a body that its host has kept as bytes", async () => {
    const { http, alice } = await setup("in process");
    const url = await host((req, res) => {
      const rawBody = Buffer.from(JSON.stringify(registration));
      void json(req).then(() => http.node(Object.assign(req, { rawBody }), res));
    });
    expect((await register(url, alice.token)).status).toBe(200);
  });

  it("takes a body that its host reads as text, in any pieces", async () => {
    const { http, alice } = await setup("in process");
    const url = await host((req, res) => http.node(req.setEncoding("utf8"), res));
    const text = JSON.stringify({ ...registration, name: "Küche" });
    const chunks = [text.slice(0, 9), text.slice(9)].map(
      (piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`,
    );
    const head = `POST ${teleprinter}/register HTTP/1.1\r\nhost: telex\r\nauthorization: Bearer ${alice.token}\r\nconnection: close`;
    const raw = await openRaw(url);
    raw.write(`${head}\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`);
    expect(Buffer.from(await raw.ended, "latin1").toString()).toMatch(/^HTTP\/1\.1 200 [^]*"name":"Küche"/);
  });

  it("says so where its host has read a body and kept nothing", async () => {
    const { http, alice, log } = await setup("in process");
    const url = await host((req, res) => {
      void json(req).then(() => http.node(req, res));
    });
    expect((await register(url, alice.token)).status).toBe(500);
    expect(log.join()).toContain("the host has read the request body");
  });

  it("leaves a host its own routes", async () => {
    const { http } = await setup("in process");
    http.app.get("/user/page", () => "a page");
    expect(await (await http.fetch(new Request("http://telex.test/user/page"))).text()).toBe("a page");
  });

  it("shows its documents, but not its operations, to middleware of a host in its application", async () => {
    const { http, alice } = await setup("in process");
    const url = await host(http.node);
    http.app.use((event) => {
      event.res.headers.set("x-host", "yes");
    });
    expect((await register(url, alice.token)).headers.get("x-host")).toBe(null);
    expect((await fetch(`${url}/openapi.json`)).headers.get("x-host")).toBe("yes");
  });

  it.each(["fetch", "app"] as const)("is mounted on h3 by its %s, below the middleware of the host", async (way) => {
    const { http, alice } = await setup("in process");
    const seen: unknown[] = [];
    const app = new H3().use(async (event, next) => {
      event.res.headers.set("x-host", "yes");
      const response = await next();
      seen.push(response instanceof Response && response.status);
      return response;
    });
    const url = await host(toNodeHandler(app.mount("/telex", http[way]).get("/own", () => "a page of the host")));
    const response = await register(`${url}/telex`, alice.token);
    expect([response.status, response.headers.get("x-host")]).toEqual([200, "yes"]);
    expect(await response.json()).toMatchObject({ code: 200, data: registration });
    const others = ["/telex/healthz", "/telex/healthz/", "/telex/openapi.json", "/telex/", "/own", "/healthz"];
    for (const path of others) await (await fetch(`${url}${path}`, { redirect: "manual" })).text();
    expect(seen.slice(0, 4)).toEqual([200, 200, 404, 200]);
    const statuses = await Promise.all(others.map(async (path) => (await fetch(`${url}${path}`)).status));
    expect(statuses).toEqual([200, 404, 200, 200, 200, 404]);
  });

  it("does not disturb another Telex in the same process", async () => {
    const [one, other] = [await setup("in process"), await setup("in process")];
    const url = await host((req, res) => (req.url?.startsWith("/other") === true ? second : one.http).node(req, res));
    const second = createHttp(other.telex, { basePath: "/other" });
    expect((await register(url, one.alice.token)).status).toBe(200);
    expect((await register(`${url}/other`, one.alice.token)).status).toBe(401);
    expect((await register(`${url}/other`, other.alice.token)).status).toBe(200);
  });

  it("answers with 503 what comes after it was closed", async () => {
    const { telex, send, alice } = await setup("in process");
    await telex.close();
    const answer = await send(`${teleprinter}/devices`, { token: alice.token });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await send("/readyz")).status).toBe(503);
    expect((await send("/healthz")).status).toBe(200);
  });
});
