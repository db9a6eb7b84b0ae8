import { describe, expect, it } from "vitest";
import { openRaw } from "./raw.ts";
import { setup } from "./setup.ts";

const onePixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

/** A response of every kind that the server gives. */
async function allKinds() {
  const { send, post, alice } = await setup("in process");
  const form = new FormData();
  form.set("file", new File([onePixel], "a.gif"));
  const upload = await send("/external/api/v1/bucket/upload", { method: "POST", body: form, token: alice.token });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the response of an upload
  const { data } = (await upload.json()) as { data: { file_id: string } };
  const image = `/download/${data.file_id}.gif`;
  return {
    success: await send("/external/api/v1/oauth2/userinfo", { token: alice.token }),
    "success of a token in the address": await send(`/external/api/v1/oauth2/userId?access_token=${alice.token}`),
    failure: await send("/external/api/v1/oauth2/userinfo"),
    nothing: await send("/none"),
    "wrong method": await send("/healthz", { method: "PUT" }),
    health: await send("/healthz"),
    document: await send("/openapi.json"),
    reference: await send("/reference"),
    "image text": await send(`/api/generate/imagetotext?file_id=${data.file_id}`),
    avatar: await send("/api/avatar/get/personal?id=1"),
    image: await send(image),
    "part of an image": await send(image, { headers: { range: "bytes=0-1" } }),
    events: await post("/external/api/v1/sseStream/chat", { content: "hi" }, alice.token),
    models: await send("/v1/models", { token: alice.token }),
    "failure of models": await send("/v1/models"),
  };
}

describe("a response of any kind", () => {
  it("says what it is, and is not to be taken for anything else", async () => {
    const wrong = Object.entries(await allKinds()).filter(([, { headers }]) => {
      const type = headers.get("content-type") ?? "";
      const isText = /^text\/|json/.test(type);
      return (
        headers.get("x-content-type-options") !== "nosniff" || type === "" || (isText && !/charset=utf-8/.test(type))
      );
    });
    expect(wrong.map(([kind]) => kind)).toEqual([]);
  });

  it("is kept by no cache if a token was needed for it", async () => {
    const kinds = await allKinds();
    const own = ["success", "success of a token in the address", "failure", "image text", "events", "models"] as const;
    expect(own.map((kind) => kinds[kind].headers.get("cache-control"))).toEqual(own.map(() => "no-store"));
  });
});

it("TRACE is not served, and tells nothing back", async () => {
  const { url } = await setup("over a socket");
  const raw = await openRaw(url);
  raw.write("TRACE /healthz HTTP/1.1\r\nhost: a\r\nx-secret: tlxp_secret\r\nconnection: close\r\n\r\n");
  const answer = await raw.ended;
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).not.toContain("tlxp_secret");
});

it("fields that name a prototype change no object", async () => {
  const { send, alice } = await setup("in process");
  const body = '{"deviceId":"a","name":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const headers = { "content-type": "application/json" };
  const response = await send("/external/api/v1/teleprinter/register", {
    method: "POST",
    body,
    headers,
    token: alice.token,
  });
  expect(response.status).toBe(200);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(await response.text()).not.toContain("polluted");
});
