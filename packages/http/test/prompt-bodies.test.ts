import { defaultLimits, echoModel } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { createRateLimiter } from "@telex/core/transport";
import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { pictureKeys } from "./cost-inputs.ts";
import { host } from "./host.ts";
import { createEmbeddingModel, createTakingModel } from "./models.ts";
import { setup, type Setup } from "./setup.ts";

const mib = 1024 * 1024;
const { models: taking } = createTakingModel();
const both = new Map([["echo", echoModel] as const, ...taking]);
const { embeddingModels } = createEmbeddingModel();

const pictureOf = (size: number) => ({
  type: "image_url",
  image_url: { url: `data:image/png;base64,${"A".repeat(size)}` },
});
const prompt = (model: string | undefined, content: unknown) => ({ model, messages: [{ role: "user", content }] });

async function post({ send, alice }: Setup, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await send(`/v1/${path}`, {
    method: "POST",
    token: alice.token,
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.text() };
}

describe("the body of a prompt", () => {
  it("has room for 8 MiB with the pictures of a model that takes them, in both forms", async () => {
    const given = await setup("over a socket", { telex: { models: taking } });
    const picture = pictureOf(6 * mib);
    const chat = await post(given, "chat/completions", prompt("taking", [picture]));
    expect(chat.status).toBe(200);
    expect(chat.body).toContain("1 pictures");
    const input = [{ role: "user", content: [{ type: "input_image", image_url: picture.image_url.url }] }];
    expect(await post(given, "responses", { model: "taking", store: false, input })).toMatchObject({ status: 200 });
    expect((await post(given, "chat/completions", prompt("taking", [pictureOf(8 * mib)]))).status).toBe(413);
  });

  it.each([
    ["objects", "{}"],
    ["numbers", "1.5"],
    ["short texts", '"x"'],
    ["almost pictures", `"data:image/png;base64,${"A".repeat(100)}!"`],
    ["tiny pictures", '"data:image/a;base64,0"'],
    ["keys that are pictures", `{"data:image/a;base64,${"A".repeat(2000)}" :0}`],
  ])("besides its pictures has 1 MiB, and is not parsed where it has more: %s", async (_name, element) => {
    const given = await setup("over a socket", { telex: { models: taking } });
    const list = `${element},`.repeat(Math.ceil((1.2 * mib) / (element.length + 1)));
    // A body that is not JSON would be refused with 400 if it were parsed.
    const { status, body } = await post(given, "chat/completions", `{"model":"taking","messages":[${list}`);
    expect(status).toBe(413);
    expect(body).toContain("too_large");
  });

  it("besides its pictures has 1 MiB, and an object whose keys look like pictures is not parsed", async () => {
    const given = await setup("over a socket", { telex: { models: taking } });
    const { status } = await post(given, "chat/completions", JSON.stringify(pictureKeys(7.9 * mib)).slice(0, -1));
    expect(status).toBe(413);
  });

  it.each(["echo", undefined])(
    "of a model without pictures has 1 MiB, whoever else takes pictures: %s",
    async (model) => {
      const given = await setup("over a socket", { telex: { models: both } });
      const text = `data:image/png;base64,${"A".repeat(900_000)}`;
      expect((await post(given, "chat/completions", prompt(model, text))).status).not.toBe(413);
      const large = { model, messages: [text, text].map((content) => ({ role: "user", content })) };
      const refused = await post(given, "chat/completions", large);
      expect(refused.status).toBe(413);
      expect(refused.body).toContain("1048576");
      expect((await post(given, "chat/completions", prompt(model, [pictureOf(2 * mib)]))).status).toBe(413);
    },
  );

  it("of a model that does not exist is refused for its name", async () => {
    const given = await setup("over a socket", { telex: { models: both } });
    const answer = await post(given, "chat/completions", prompt("none", [pictureOf(2 * mib)]));
    expect(answer.status).toBe(404);
    expect(answer.body).toContain("model_not_found");
  });

  it("has 1 MiB where no model takes pictures, and for vectors, and none of the rest is waited for", async () => {
    const given = await setup("over a socket", { telex: { embeddingModels } });
    const content = "x".repeat(mib);
    for (const [path, body] of [
      ["chat/completions", prompt("echo", content)],
      ["responses", { model: "echo", store: false, input: content }],
      ["embeddings", { model: "counting", input: content }],
    ] as const) {
      expect([path, (await post(given, path, body)).status]).toEqual([path, 413]);
    }
  });
});

describe("the body of a prompt that a parser of the host has read", () => {
  /** Posts without `Content-Length`, to a host that parses bodies as `express.json()` does. */
  const open = async () => {
    const { http, alice } = await setup("in process", { telex: { models: both } });
    const url = await host((req, res) => {
      void json(req).then((body) => http.node(Object.assign(req, { body }), res));
    });
    const headers = { authorization: `Bearer ${alice.token}`, "content-type": "application/json" };
    return async (body: unknown) => {
      const stream = new Blob([JSON.stringify(body)]).stream();
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers,
        body: stream,
        duplex: "half",
      });
      return { status: answer.status, body: await answer.text() };
    };
  };

  it("may be small, whatever the model takes", async () => {
    const send = await open();
    expect(await send(prompt("echo", "x"))).toMatchObject({ status: 200 });
    expect(await send(prompt("taking", "x"))).toMatchObject({ status: 200 });
  });

  it("has exactly 1 MiB besides its pictures", async () => {
    const send = await open();
    const messages = (content: string) => ["x".repeat(600_000), content].map((one) => ({ role: "user", content: one }));
    const body = (content: string) => ({ model: "taking", messages: messages(content) });
    const content = "x".repeat(mib - JSON.stringify(body("")).length);
    expect(await send(body(content))).toMatchObject({ status: 200 });
    expect(await send(body(`${content}x`))).toMatchObject({ status: 413 });
  });

  it("has room for pictures only where the model takes them", async () => {
    const send = await open();
    expect(await send(prompt("taking", [pictureOf(2 * mib)]))).toMatchObject({ status: 200 });
    expect(await send(prompt("taking", [pictureOf(8 * mib)]))).toMatchObject({ status: 413 });
    const refused = await send(prompt("echo", [pictureOf(2 * mib)]));
    expect(refused.status).toBe(413);
    expect(refused.body).toContain("1048576");
  });

  it.each([
    ["lists", Array.from({ length: 0.6 * mib }, () => 0)],
    ["texts", Array.from({ length: 1200 }, () => "x".repeat(1024))],
    ["tiny pictures", Array.from({ length: 60_000 }, () => "data:image/a;base64,0")],
    ["keys that look like pictures", pictureKeys(1.2 * mib)],
  ])("besides its pictures has 1 MiB: %s", async (_name, content) => {
    const send = await open();
    expect(await send({ ...prompt("taking", "x"), metadata: content })).toMatchObject({ status: 413 });
  });
});

describe("the size of a body", () => {
  const rates = { token: { burst: 100, perMinute: 60 }, address: { burst: 100, perMinute: 60 } };
  const limited = () => {
    const clock = createManualClock();
    const rateLimiter = createRateLimiter(rates, { clock, limits: defaultLimits });
    return { rateLimiter, telex: { clock, models: taking } };
  };
  /** The calls left of the rate, before this call. */
  const left = async ({ send, alice }: Setup) => {
    const answer = await send("/v1/models", { token: alice.token });
    return Number(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]) + 1;
  };

  it("counts as one more call for each 32 KiB, whether it is right or not", async () => {
    const given = await setup("over a socket", limited());
    await post(given, "chat/completions", prompt("taking", "x"));
    expect(await left(given)).toBe(99);
    await post(given, "chat/completions", prompt("taking", "x".repeat(64 * 1024)));
    expect(await left(given)).toBe(95);
    await post(given, "chat/completions", "x".repeat(320 * 1024));
    expect(await left(given)).toBe(83);
  });

  it("counts before the body comes, so that others of the same token cannot begin", async () => {
    const given = await setup("over a socket", limited());
    const large = prompt("taking", [pictureOf(4 * mib)]);
    expect((await post(given, "chat/completions", large)).status).toBe(200);
    expect((await post(given, "chat/completions", prompt("taking", "x"))).status).toBe(429);
  });

  /** Posts without `Content-Length`. */
  const postUnknown = ({ send, alice }: Setup, stream: ReadableStream) =>
    send("/v1/chat/completions", {
      method: "POST",
      token: alice.token,
      headers: { "content-type": "application/json" },
      body: stream,
      duplex: "half",
    });
  const streamOf = (body: unknown) => new Blob([JSON.stringify(body)]).stream();

  it.each(["in process", "over a socket"] as const)(
    "counts as it is where it is not announced, once it is known: %s",
    async (transport) => {
      const given = await setup(transport, limited());
      for (let count = 0; count < 20; count += 1) {
        expect((await postUnknown(given, streamOf(prompt("taking", "x")))).status).toBe(200);
      }
      expect(await left(given)).toBe(80);
      await postUnknown(given, streamOf(prompt("taking", "x".repeat(64 * 1024))));
      expect(await left(given)).toBe(76);
      expect((await postUnknown(given, streamOf(prompt("taking", [pictureOf(4 * mib)])))).status).toBe(200);
      expect((await postUnknown(given, streamOf(prompt("taking", "x")))).status).toBe(429);
    },
  );

  it("counts as the largest while it is not known, so that others of the same token cannot begin", async () => {
    const given = await setup("in process", limited());
    const { promise: isRead, resolve: onRead } = Promise.withResolvers<ReadableStreamDefaultController>();
    // The stream is pulled when the server reads it.
    const answer = postUnknown(given, new ReadableStream({ pull: onRead }, { highWaterMark: 0 }));
    const writer = await isRead;
    expect((await postUnknown(given, streamOf(prompt("taking", "x")))).status).toBe(429);
    writer.enqueue(Buffer.from(JSON.stringify(prompt("taking", "x"))));
    writer.close();
    expect((await answer).status).toBe(200);
    expect(await left(given)).toBe(99);
  });

  it("counts as the largest where it turns out to be larger", async () => {
    const given = await setup("in process", limited());
    expect((await postUnknown(given, streamOf(prompt("taking", [pictureOf(9 * mib)])))).status).toBe(413);
    expect((await postUnknown(given, streamOf(prompt("taking", "x")))).status).toBe(429);
  });

  it("is not taken from the header where it is known", async () => {
    const given = await setup("in process", limited());
    const { http, url, alice } = given;
    const headers = { authorization: `Bearer ${alice.token}`, "content-type": "application/json" };
    const body = JSON.stringify(prompt("taking", "x".repeat(64 * 1024)));
    const request = new Request(`${url}/v1/chat/completions`, { method: "POST", headers, body });
    request.headers.set("content-length", "10");
    expect((await http.fetch(request)).status).toBe(200);
    expect(await left(given)).toBe(97);
  });
});
