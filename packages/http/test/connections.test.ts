import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { HttpLimits } from "../src/limits.ts";
import { serveHttp } from "../src/server/serve.ts";
import { head, openRaw } from "./raw.ts";
import { closeAfterTest, setup, type Setup, teleprinter } from "./setup.ts";

const open = (limits: Partial<HttpLimits> = {}): Promise<Setup> => setup("over a socket", { limits });

const json = { "content-type": "application/json" };
const envelopeOf = (text: string): unknown => JSON.parse(text.slice(text.lastIndexOf("\r\n\r\n") + 4));
const failureOf = (code: number, error: string): unknown => ({
  code,
  msg: expect.any(String) as unknown,
  data: { error },
});

describe("a connection", () => {
  it("whose headers are too large is answered with 431, without a word of what was sent", async () => {
    const { url } = await open();
    const raw = await openRaw(url);
    raw.write(head("GET /healthz?access_token=tlxp_secret", { "x-filler": "x".repeat(17 * 1024) }));
    const answer = await raw.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(envelopeOf(answer)).toEqual(failureOf(431, "headers_too_large"));
    expect(answer).not.toContain("tlxp_secret");
  });

  it.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["a target with a space", "GET /a b HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n"],
    ["a length and chunks", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
  ])("that carries %s is answered with 400 and closed", async (_what, text) => {
    const { url } = await open();
    const raw = await openRaw(url);
    raw.write(text);
    const answer = await raw.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(envelopeOf(answer)).toEqual(failureOf(400, "invalid_request"));
  });

  it("that asks for a tunnel is answered with 405", async () => {
    const { url } = await open();
    const raw = await openRaw(url);
    raw.write(head("CONNECT example.org:443"));
    const answer = await raw.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*\r\nallow: GET, HEAD, POST\r\n/);
    expect(envelopeOf(answer)).toHaveProperty("msg", expect.stringContaining("CONNECT"));
  });

  it("with raw bytes in its target is answered with 400", async () => {
    const { url } = await open();
    const raw = await openRaw(url);
    raw.write(Buffer.from(head("GET /api/avatar/get/personal?id=caf\xe9"), "latin1"));
    expect(await raw.until(/\}$/)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("may name its target in the absolute form", async () => {
    const { url } = await open();
    const raw = await openRaw(url);
    raw.write(head("GET http://elsewhere.test/healthz"));
    expect(await raw.until(/\}$/)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("that offers another protocol, where none is served, is answered like any other", async () => {
    const { url } = await open();
    const raw = await openRaw(url);
    raw.write(head("GET /healthz", { connection: "upgrade", upgrade: "websocket" }));
    expect(await raw.until(/\}$/)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("on which nothing arrives is closed", async () => {
    const { url } = await open({ firstByteTime: 30 });
    const raw = await openRaw(url);
    expect(await raw.ended).toBe("");
  });

  it("whose headers do not end is answered with 408", async () => {
    const { url } = await open({ headerTime: 60, lateCheckInterval: 20 });
    const raw = await openRaw(url);
    raw.write("GET /healthz HTTP/1.1\r\nhost: x\r\n");
    const answer = await raw.ended;
    expect(envelopeOf(answer)).toEqual(failureOf(408, "timeout"));
  });

  it("that sends requests without waiting gets the answers in order", async () => {
    const { url, alice, post } = await open();
    await post(`${teleprinter}/register`, { deviceId: "printer", name: "n" }, alice.token);
    const raw = await openRaw(url);
    const authorization = `Bearer ${alice.token}`;
    const poll = head(`GET ${teleprinter}/poll?deviceId=printer&wait=60`, { authorization });
    raw.write(poll + head("GET /healthz") + head("GET /nothing"));
    await post(`${teleprinter}/send`, { deviceId: "printer", content: "now" }, alice.token);
    const answers = await raw.until(/not_found/);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 404"]);
    expect(answers.indexOf("now")).toBeLessThan(answers.indexOf("404"));
  });

  it("that goes on with nonsense gets the answers to what was right before", async () => {
    const { url, alice, post } = await open();
    await post(`${teleprinter}/register`, { deviceId: "printer", name: "n" }, alice.token);
    const raw = await openRaw(url);
    const authorization = `Bearer ${alice.token}`;
    raw.write(`${head(`GET ${teleprinter}/poll?deviceId=printer&wait=60`, { authorization })}nonsense\r\n\r\n`);
    await post(`${teleprinter}/send`, { deviceId: "printer", content: "now" }, alice.token);
    expect(await raw.ended).toMatch(/^HTTP\/1\.1 200 .*"now".*HTTP\/1\.1 400 .*invalid_request"\}\}$/s);
  });

  it("may wait for 100 Continue before it sends the body", async () => {
    const { url, alice } = await open();
    const raw = await openRaw(url);
    const body = JSON.stringify({ deviceId: "printer", name: "n" });
    const authorization = `Bearer ${alice.token}`;
    const headers = { ...json, authorization, expect: "100-continue", "content-length": String(body.length) };
    raw.write(head(`POST ${teleprinter}/register`, headers));
    expect(await raw.until(/\r\n\r\n/)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    raw.write(body);
    expect(await raw.until(/"printer"/)).toContain("HTTP/1.1 200 OK");
  });
});

/** The maximum bytes of the body of a registration. */
const bodySize = 16 * 1024;

/** Begins to send a body. */
async function begin(headers: Record<string, string>, limits?: Partial<HttpLimits>) {
  const given = await open(limits);
  const raw = await openRaw(given.url);
  const authorization = `Bearer ${given.alice.token}`;
  raw.write(head(`POST ${teleprinter}/register`, { ...json, authorization, ...headers }));
  return { ...given, raw };
}

describe("a body", () => {
  it("that announces more than the limit is refused before it is sent", async () => {
    const { raw } = await begin({ "content-length": String(bodySize + 1) });
    expect(envelopeOf(await raw.until(/\}$/))).toEqual(failureOf(413, "too_large"));
  });

  it("that grows over the limit is refused while it is sent", async () => {
    const { raw } = await begin({ "transfer-encoding": "chunked" });
    const chunk = `1000\r\n${" ".repeat(0x1000)}\r\n`;
    for (let sent = 0; sent <= bodySize; sent += 0x1000) raw.write(chunk);
    expect(envelopeOf(await raw.until(/\}$/))).toEqual(failureOf(413, "too_large"));
  });

  it("that has arrived as a whole, and is over the limit, is refused", async () => {
    const { url, alice } = await open({ bodySize: 100 });
    const raw = await openRaw(url);
    const headers = { ...json, authorization: `Bearer ${alice.token}`, "transfer-encoding": "chunked" };
    raw.write(`${head(`POST ${teleprinter}/register`, headers)}65\r\n${" ".repeat(101)}\r\n0\r\n\r\n`);
    expect(envelopeOf(await raw.until(/\}$/))).toEqual(failureOf(413, "too_large"));
  });

  it("of exactly the limit is taken", async () => {
    const { raw } = await begin({ "content-length": String(bodySize) });
    const text = JSON.stringify({ deviceId: "printer", name: "n" });
    raw.write(text + " ".repeat(bodySize - text.length));
    expect(await raw.until(/"printer"/)).toContain("HTTP/1.1 200 OK");
  });

  it("that does not end in time is answered with 408, and its connection closed", async () => {
    const { raw } = await begin({ "content-length": "100" }, { bodyTime: 30, lingerTime: 30 });
    raw.write("{");
    expect(envelopeOf(await raw.ended)).toEqual(failureOf(408, "timeout"));
  });

  it("in broken chunks is answered with 400", async () => {
    const { raw } = await begin({ "transfer-encoding": "chunked" });
    raw.write("nonsense\r\n");
    expect(envelopeOf(await raw.ended)).toEqual(failureOf(400, "invalid_request"));
  });

  it("that breaks off leaves nothing behind but a closed connection", async () => {
    const { raw, telex, alice, log } = await begin({ "content-length": "100" });
    raw.write('{"deviceId":"printer",');
    raw.socket.resetAndDestroy();
    await raw.ended;
    const caller = await telex.authenticate(alice.token);
    expect(await telex.teleprinter.devices(caller, {})).toEqual([]);
    expect(log).toEqual([]);
  });

  it("that is refused is read to its end, so that the connection can be used again", async () => {
    const { url } = await open();
    const raw = await openRaw(url);
    const body = "x".repeat(300_000);
    raw.write(head(`POST ${teleprinter}/register`, { ...json, "content-length": String(body.length) }));
    expect(envelopeOf(await raw.until(/\}$/))).toEqual(failureOf(401, "invalid_token"));
    raw.write(body + head("GET /healthz"));
    expect(await raw.until(/HTTP\/1\.1 200/)).toContain("401 Unauthorized");
  });

  it("that is refused is read to its end also where the client wants the connection closed", async () => {
    const { http } = await setup("in process");
    const serving = await serveHttp(http, { port: 0 });
    closeAfterTest(() => serving.close(0));
    const { promise: served, resolve } = Promise.withResolvers<Socket>();
    serving.server.once("connection", resolve);
    const raw = await openRaw(serving.url);
    const socket = await served;
    const body = "x".repeat(300_000);
    const headers = { ...json, connection: "close", "content-length": String(body.length) };
    raw.write(head(`POST ${teleprinter}/register`, headers));
    await raw.until(/\}$/);
    raw.write(body);
    expect(envelopeOf(await raw.ended)).toEqual(failureOf(401, "invalid_token"));
    expect(socket.bytesRead).toBeGreaterThan(body.length);
  });
});
