import { describe, expect, it } from "vitest";
import { setup, teleprinter } from "./setup.ts";

interface Plain {
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function device(size?: number) {
  const { url, alice, http } = await setup("in process", {
    ...(size !== undefined && { limits: { bodySize: size } }),
  });
  const headers = { authorization: `Bearer ${alice.token}` };
  const post = async (path: string, init: RequestInit) => {
    const response = await http.fetch(new Request(`${url}${teleprinter}/${path}`, { method: "POST", ...init }));
    const answer: unknown = await response.json();
    return { status: response.status, answer };
  };
  const json = { ...headers, "content-type": "application/json" };
  const registered = { deviceId: "printer", name: "Printer" };
  expect(await post("register", { headers: json, body: JSON.stringify(registered) })).toMatchObject({ status: 200 });
  return async (name: "send" | "sync", plain: Plain = {}) => {
    const { query = "?deviceId=printer", type = "text/plain", body = "hi" } = plain;
    return await post(`${name}${query}`, { body, headers: { ...headers, "content-type": type, ...plain.headers } });
  };
}

describe("a text as the body of send and sync", () => {
  it.each(["text/plain", "text/plain; charset=utf-8", "application/x-www-form-urlencoded"])(
    "is the content, byte for byte, as %s",
    async (type) => {
      const post = await device();
      for (const body of ["hi", " two=lines&\r\n%41+你好 ", '{"deviceId":"other"}']) {
        expect(await post("send", { type, body })).toMatchObject({
          status: 200,
          answer: { data: { deviceId: "printer", direction: "to_device", content: body } },
        });
      }
    },
  );

  it("comes from the device with sync", async () => {
    const post = await device();
    const { answer } = await post("sync", { body: "Paper is out" });
    expect(answer).toMatchObject({ data: { direction: "from_device", content: "Paper is out" } });
  });

  it("takes its nonce from the query", async () => {
    const post = await device();
    const query = "?deviceId=printer&nonce=n-1";
    const first = await post("send", { query });
    expect(await post("send", { query })).toEqual(first);
    expect(await post("send", { query, body: "other" })).toMatchObject({ status: 409 });
  });

  it.each([
    ["no deviceId", { query: "" }, "deviceId"],
    ["no text", { body: "" }, "content"],
    ["2001 characters", { body: "长".repeat(2001) }, "content"],
    ["NUL", { body: "a\0b" }, "content"],
  ])("is refused by the same rules: %s", async (_what, plain, path) => {
    const post = await device();
    expect(await post("send", plain)).toMatchObject({
      status: 400,
      answer: { data: { error: "invalid_request", issues: [{ path }] } },
    });
  });

  it("is refused where it is too large, not UTF-8, compressed, or for a device that is not there", async () => {
    const post = await device(1000);
    expect(await post("send", { body: "x".repeat(1001) })).toMatchObject({ status: 413 });
    expect(await post("send", { body: Uint8Array.of(0xff) })).toMatchObject({ status: 400 });
    expect(await post("send", { headers: { "content-encoding": "gzip" } })).toMatchObject({ status: 415 });
    expect(await post("send", { query: "?deviceId=nobody" })).toMatchObject({ status: 404 });
    expect(await post("send", { type: "text/html" })).toMatchObject({ status: 415 });
  });

  it("is not taken where a call has more than one text", async () => {
    const { url, alice, http } = await setup("in process");
    const request = new Request(`${url}${teleprinter}/register?deviceId=printer`, {
      method: "POST",
      body: "Printer",
      headers: { authorization: `Bearer ${alice.token}`, "content-type": "text/plain" },
    });
    expect((await http.fetch(request)).status).toBe(415);
  });
});
