import { defaultLimits, echoModel } from "@telex/core";
import { createManualClock } from "@telex/core/testing";
import { createRateLimiter } from "@telex/core/transport";
import { describe, expect, it } from "vitest";
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
  ])("besides its pictures has 1 MiB, and is not parsed where it has more: %s", async (_name, element) => {
    const given = await setup("over a socket", { telex: { models: taking } });
    const list = `${element},`.repeat(Math.ceil((1.2 * mib) / (element.length + 1)));
    // What is no JSON would be 400 where it is parsed.
    const { status, body } = await post(given, "chat/completions", `{"model":"taking","messages":[${list}`);
    expect(status).toBe(413);
    expect(body).toContain("too_large");
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

describe("the size of a body", () => {
  const rates = { token: { burst: 100, perMinute: 60 }, address: { burst: 100, perMinute: 60 } };
  const limited = () => {
    const clock = createManualClock();
    const rateLimiter = createRateLimiter(rates, { clock, limits: defaultLimits });
    return { rateLimiter, telex: { clock, models: taking } };
  };
  /** Calls that are left of the rate before the call that asks. */
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

  it("counts as the largest where it is not announced", async () => {
    const given = await setup("over a socket", limited());
    const { http, url, alice } = given;
    const headers = { authorization: `Bearer ${alice.token}`, "content-type": "application/json" };
    const body = JSON.stringify(prompt("taking", "x"));
    await http.fetch(new Request(`${url}/v1/chat/completions`, { method: "POST", headers, body }));
    expect((await post(given, "chat/completions", prompt("taking", "x"))).status).toBe(429);
  });
});
