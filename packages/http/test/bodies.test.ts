import { describe, expect, it } from "vitest";
import { setup, teleprinter } from "./setup.ts";

/** A request whose body comes from a stream. */
const streamed = (url: string, token: string, body: ReadableStream<Uint8Array>): Request =>
  new Request(`${url}${teleprinter}/register`, {
    method: "POST",
    body,
    duplex: "half",
    headers: { authorization: `Bearer ${token}` },
  });

const bytes = new TextEncoder().encode('{"deviceId":"printer","name":"n"}');

describe("a body in process", () => {
  it.each(["1.0", "1e0", "1e400"])("that names a conversation by %s names none", async (written) => {
    const { http, url, alice } = await setup("in process");
    const body = new TextEncoder().encode(`{"content":"go on","conversationId":${written}}`);
    const answer = await http.fetch(
      new Request(`${url}/external/api/v1/sseStream/chat`, {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${alice.token}` },
      }),
    );
    expect(await answer.json()).toMatchObject({
      code: 400,
      data: { error: "invalid_request", issues: [{ path: "conversationId" }] },
    });
  });

  it("may come in any pieces", async () => {
    const { http, url, alice } = await setup("in process");
    const pieces = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
    expect((await http.fetch(streamed(url, alice.token, pieces))).status).toBe(200);
  });

  it("that fails is refused as broken off", async () => {
    const { http, url, alice, log } = await setup("in process");
    const failing = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("line cut")) });
    const answer = await http.fetch(streamed(url, alice.token, failing));
    expect(await answer.json()).toMatchObject({ code: 400, data: { error: "invalid_request" } });
    expect(log).toEqual([]);
  });

  it("that does not end in time is refused", async () => {
    const { http, url, alice } = await setup("in process", { limits: { bodyTime: 20 } });
    const answer = await http.fetch(streamed(url, alice.token, new ReadableStream()));
    expect(await answer.json()).toMatchObject({ code: 408, data: { error: "timeout" } });
  });

  it("that grows over the limit is given up", async () => {
    const { http, url, alice } = await setup("in process", { limits: { bodySize: 1000 } });
    const given = Promise.withResolvers<string>();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(100)),
      cancel: () => given.resolve("up"),
    });
    const answer = await http.fetch(streamed(url, alice.token, endless));
    expect(answer.status).toBe(413);
    expect(await given.promise).toBe("up");
  });

  it("has room for the longest input of its route, each character in its longest form, and for no more", async () => {
    const { http, url, alice, post } = await setup("in process");
    await post(`${teleprinter}/register`, { deviceId: "printer", name: "n" }, alice.token);
    const send = async (path: string, body: string) => {
      const headers = { authorization: `Bearer ${alice.token}`, "content-type": "application/json" };
      return (await http.fetch(new Request(`${url}${path}`, { method: "POST", body, headers }))).status;
    };
    const content = String.raw`\ud83d\ude00`.repeat(2000);
    expect(await send(`${teleprinter}/sync`, `{"deviceId":"printer","content":"${content}"}`)).toBe(200);
    const heartbeat = '{"deviceId":"printer"}';
    expect(await send(`${teleprinter}/heartbeat`, heartbeat.padEnd(16 * 1024))).toBe(200);
    expect(await send(`${teleprinter}/heartbeat`, heartbeat.padEnd(16 * 1024 + 1))).toBe(413);
    expect(await send(`${teleprinter}/sync`, heartbeat.padEnd(40 * 1024))).toBe(413);
    const chat = JSON.stringify({ content: "hello" });
    expect(await send("/external/api/v1/sseStream/chat", chat.padEnd(1024 * 1024))).toBe(200);
    expect(await send("/external/api/v1/sseStream/chat", chat.padEnd(1024 * 1024 + 1))).toBe(413);
  });

  it("nested to the limit is taken, and one deeper refused", async () => {
    const { post, alice } = await setup("in process", { limits: { bodyDepth: 3 } });
    const body = { deviceId: "printer", name: "n" };
    expect((await post(`${teleprinter}/register`, { ...body, x: { y: {} } }, alice.token)).status).toBe(200);
    const deep = await post(`${teleprinter}/register`, { ...body, x: { y: { z: {} } } }, alice.token);
    expect(await deep.json()).toMatchObject({ code: 400, data: { error: "invalid_request", issues: [{ path: "" }] } });
  });
});
