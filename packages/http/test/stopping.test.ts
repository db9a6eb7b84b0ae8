import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createHttp } from "../src/server/app.ts";
import { serveHttp } from "../src/server/serve.ts";
import { head, openRaw } from "./raw.ts";
import { closeAfterTest, observePolls, setup, teleprinter } from "./setup.ts";

async function serve() {
  const { wrap, begun } = observePolls();
  const given = await setup("in process", { wrap });
  const serving = await serveHttp(given.http, { port: 0 });
  closeAfterTest(() => serving.close(0));
  const authorization = `Bearer ${given.alice.token}`;
  await given.post(`${teleprinter}/register`, { deviceId: "printer", name: "n" }, given.alice.token);
  return { ...given, serving, authorization, begun };
}

const longPoll = `GET ${teleprinter}/poll?deviceId=printer&wait=60`;

describe("a server that stops", () => {
  it("answers what is in progress, and takes nothing new", async () => {
    const { serving, authorization, telex, begun } = await serve();
    const raw = await openRaw(serving.url);
    raw.write(head(longPoll, { authorization }));
    await begun;
    const closed = serving.close(60_000);
    await telex.close();
    expect(await raw.ended).toMatch(/^HTTP\/1\.1 200 OK.*"data":\[\]\}$/s);
    await closed;
    const { port } = new URL(serving.url);
    await expect(once(connect(Number(port), "127.0.0.1"), "connect")).rejects.toThrow("ECONNREFUSED");
  });

  it("closes connections that wait for nothing", async () => {
    const { serving } = await serve();
    const raw = await openRaw(serving.url);
    raw.write(head("GET /healthz"));
    await raw.until(/\}$/);
    await serving.close(60_000);
    expect(await raw.ended).toContain("200 OK");
  });

  it("closes connections on which nothing has arrived yet", async () => {
    const { serving } = await serve();
    const accepted = once(serving.server, "connection");
    const raw = await openRaw(serving.url);
    await accepted;
    await serving.close(60_000);
    expect(await raw.ended).toBe("");
  });

  it("tells a kept connection that its answer is the last", async () => {
    const { serving, authorization, send, post, alice, begun } = await serve();
    const raw = await openRaw(serving.url);
    raw.write(head(longPoll, { authorization }));
    await begun;
    const closed = serving.close(60_000);
    const asked = once(serving.server, "request");
    raw.write(head("GET /healthz"));
    await asked;
    await post(`${teleprinter}/send`, { deviceId: "printer", content: "now" }, alice.token);
    expect(await raw.ended).toMatch(/"now".*HTTP\/1\.1 200 OK.*connection: close/is);
    await closed;
    expect((await send("/healthz")).status).toBe(200);
  });

  it("cuts what does not end before the deadline", async () => {
    const { serving, authorization, begun } = await serve();
    const raw = await openRaw(serving.url);
    raw.write(head(longPoll, { authorization }));
    await begun;
    await serving.close(20);
    expect(await raw.ended).toBe("");
  });

  it("cuts connections that were taken over as well", async () => {
    const given = await setup("in process");
    const taken = Promise.withResolvers<void>();
    const serving = await serveHttp(given.http, {
      port: 0,
      upgrade(_req, socket) {
        socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
        taken.resolve();
      },
    });
    const raw = await openRaw(serving.url);
    raw.write(head("GET /", { connection: "upgrade", upgrade: "x" }));
    await taken.promise;
    await serving.close(20);
    expect(await raw.ended).toContain("101");
  });
});

describe("a server that cannot listen", () => {
  it("says so", async () => {
    const { serving, telex } = await serve();
    const port = Number(new URL(serving.url).port);
    await expect(serveHttp(createHttp(telex), { port })).rejects.toThrow("EADDRINUSE");
  });

  it("listens on this machine only, where nothing else is said", async () => {
    const { serving } = await serve();
    expect(new URL(serving.url).hostname).toBe("127.0.0.1");
  });
});
