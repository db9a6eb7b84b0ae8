import type { Socket } from "node:net";
import { operator } from "@telex/core";
import { until } from "@telex/conformance/testing";
import { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from "openai";
import { expect, it } from "vitest";
import { serveHttp } from "../src/server/serve.ts";
import { createStepModel, createTakingModel } from "./models.ts";
import { clientOf } from "./openai-client.ts";
import { head, openRaw } from "./raw.ts";
import { closeAfterTest, overBothTransports, setup, type Setup } from "./setup.ts";

const ask = (content: string) => ({ model: "echo", messages: [{ role: "user", content } as const] });

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const imageOf = (url: string) => ({ type: "image_url" as const, image_url: { url, detail: "low" as const } });
const picture = imageOf(`data:image/png;base64,${pixel}`);
const largePicture = imageOf(`data:image/jpeg;base64,${"A".repeat(2_000_000)}`);
const foreignPicture = imageOf("http://169.254.169.254/latest");

const callerOf = ({ telex, alice }: Setup) => telex.authenticate(alice.token);

overBothTransports("the official client of OpenAI", (open) => {
  it("lists the models", async () => {
    const models = await clientOf(await open()).models.list();
    expect(models.data).toMatchObject([{ id: "echo", object: "model", owned_by: "telex" }]);
  });

  it("gets a whole answer with its usage, which counts like a chat and is kept nowhere", async () => {
    const given = await open();
    const answer = await clientOf(given).chat.completions.create({
      model: "echo",
      messages: [
        { role: "developer", content: "Be kind." },
        { role: "assistant", content: null, refusal: null },
        {
          role: "user",
          content: [
            { type: "text", text: "Hello " },
            { type: "text", text: "world" },
          ],
        },
      ],
      temperature: 0.1,
      seed: 7,
    });
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "echo",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello world" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
    });
    const caller = await callerOf(given);
    expect(await given.telex.ai.quota(caller, {})).toMatchObject({ messageCount: 1, tokenCount: 6 });
    expect((await given.telex.ai.conversations(caller, {})).total).toBe(0);
  });

  it("gets a stream, with the usage at its end where it asks for it", async () => {
    const client = clientOf(await open());
    const read = async (options: { include_usage: boolean }) => {
      const stream = await client.chat.completions.create({ ...ask("a b c"), stream: true, stream_options: options });
      const seen = [];
      for await (const { choices, usage } of stream) {
        seen.push([choices[0]?.delta.content ?? null, choices[0]?.finish_reason ?? null, usage?.total_tokens ?? null]);
      }
      return seen;
    };
    const plain = [
      ["", null, null],
      ["a", null, null],
      [" b", null, null],
      [" c", null, null],
      [null, "stop", null],
    ];
    expect(await read({ include_usage: false })).toEqual(plain);
    expect(await read({ include_usage: true })).toEqual([...plain, [null, null, 6]]);
  });

  it("bounds the answer by either of the two names of the limit", async () => {
    const client = clientOf(await open());
    for (const limit of [{ max_tokens: 2 }, { max_completion_tokens: 2 }]) {
      const answer = await client.chat.completions.create({ ...ask("a b c d"), ...limit });
      expect(answer.choices[0]).toMatchObject({ message: { content: "a b" }, finish_reason: "length" });
    }
  });

  it("recognises failures", async () => {
    const given = await open();
    const client = clientOf(given);
    const failing = (body: object) =>
      client.chat.completions.create({ ...ask("x"), ...body }).then(
        () => null,
        (error: unknown) => error,
      );
    const unknownModel = await failing({ model: "gpt-9" });
    expect(unknownModel).toBeInstanceOf(NotFoundError);
    expect(unknownModel).toMatchObject({ status: 404, code: "model_not_found", type: "invalid_request_error" });
    const wrongRole = await failing({ messages: [{ role: "robot", content: "x" }] });
    expect(wrongRole).toBeInstanceOf(BadRequestError);
    expect(wrongRole).toMatchObject({ code: "invalid_request", param: "messages.0.role" });
    const tooLong = await failing({ messages: [{ role: "user", content: "x ".repeat(9000) }] });
    expect(tooLong).toMatchObject({ status: 400, code: "context_length_exceeded" });
    const stranger = clientOf(given, "tlxt_0123456789012345678901234567890123456789");
    const noKey = await stranger.models.list().then(
      () => null,
      (error: unknown) => error,
    );
    expect(noKey).toBeInstanceOf(AuthenticationError);
    expect(noKey).toMatchObject({ status: 401, code: "invalid_api_key" });
    await given.telex.operator.quota.assign(operator, {
      userId: given.alice.id,
      unit: "count",
      max: 0,
      period: "daily",
    });
    const used = await failing({});
    expect(used).toBeInstanceOf(RateLimitError);
    expect(used).toMatchObject({ status: 429, code: "insufficient_quota", type: "insufficient_quota" });
  });

  it.each([
    ["tools", { tools: [{ type: "function", function: { name: "f" } }] }],
    ["n", { n: 2 }],
    ["response_format", { response_format: { type: "json_object" } }],
    ["messages.1.content", { messages: [ask("x").messages[0], { role: "user", content: [picture] }] }],
    ["messages.0.content.0", { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }] }],
    ["messages.1", { messages: [ask("x").messages[0], { role: "tool", tool_call_id: "c", content: "x" }] }],
  ])("is told that %s is not supported", async (param, extra) => {
    const body = { ...ask("x"), ...extra };
    // @ts-expect-error -- no client that checks its types sends all of these
    const call = clientOf(await open()).chat.completions.create(body);
    await expect(call).rejects.toMatchObject({ status: 400, code: "unsupported_parameter", param });
  });

  it.each([
    ["messages", 2000, Array.from({ length: 100_000 }, () => null)],
    ["messages.0.content", 1000, [{ role: "user", content: Array.from({ length: 1001 }, () => ({})) }]],
  ])("is told that %s has more than %i elements, whatever they are", async (param, max, messages) => {
    const { post, alice } = await open();
    const refused = await post("/v1/chat/completions", { messages }, alice.token);
    expect(await refused.json()).toMatchObject({
      error: { code: "invalid_request", param, message: expect.stringContaining(String(max)) as unknown },
    });
  });

  it.each([
    ["top_k", { top_k: 5 }],
    ["messages.0.mood", { messages: [{ role: "user", content: "x", mood: "good" }] }],
  ])("is told that there is no field %s, as by the interface's own server", async (param, extra) => {
    const body = { ...ask("x"), ...extra };
    // @ts-expect-error -- no client that checks its types sends these
    const call = clientOf(await open()).chat.completions.create(body);
    await expect(call).rejects.toMatchObject({ status: 400, code: "unknown_parameter", param });
  });

  it("gets what it asks for with fields that every model has", async () => {
    const client = clientOf(await open());
    const answer = await client.chat.completions.create({
      ...ask("one two END three"),
      n: 1,
      response_format: { type: "text" },
      stop: "END",
      temperature: 0.5,
      tools: [],
      user: "somebody",
    });
    expect(answer.choices[0]).toMatchObject({ message: { content: "one two " }, finish_reason: "stop" });
    const stream = await client.chat.completions.create({ ...ask("a b c"), stop: ["c", " b"], stream: true });
    const deltas = [];
    for await (const { choices } of stream) deltas.push(choices[0]?.delta.content ?? "");
    expect(deltas.join("")).toBe("a");
  });

  it("sends pictures and tools to a model that takes them, and gets its calls", async () => {
    const { models, asked } = createTakingModel();
    const client = clientOf(await open({ telex: { models } }));
    const content = [{ type: "text" as const, text: "What is this?" }, picture, largePicture];
    const seen = await client.chat.completions.create({ model: "taking", messages: [{ role: "user", content }] });
    expect(seen.choices[0]?.message.content).toBe("2 pictures");
    expect(asked[0]?.messages[0]).toMatchObject({
      content: "What is this?",
      parts: [{ text: "What is this?" }, { image: picture.image_url.url, detail: "low" }, {}],
    });
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const question = {
      model: "taking",
      tools: [{ type: "function" as const, function: { name: "weather", description: "The weather.", parameters } }],
      tool_choice: { type: "function" as const, function: { name: "weather" } },
      parallel_tool_calls: false,
    };
    const messages = [{ role: "user" as const, content: "Is it raining?" }];
    const answer = await client.chat.completions.create({ ...question, messages });
    const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
    expect(answer.choices[0]).toMatchObject({
      message: { content: null, tool_calls: [call] },
      finish_reason: "tool_calls",
    });
    expect(asked[1]).toMatchObject({
      tools: [{ name: "weather", description: "The weather.", parameters: JSON.stringify(parameters) }],
      toolChoice: { name: "weather" },
      parallelToolCalls: false,
    });
    const stream = client.chat.completions.stream({ ...question, messages });
    expect((await stream.finalChatCompletion()).choices[0]?.message.tool_calls).toMatchObject([call]);
    const message = answer.choices[0]?.message ?? messages[0];
    if (message === undefined) throw new TypeError("there is a message");
    const result = { role: "tool" as const, tool_call_id: "call_1", content: "It rains." };
    const last = await client.chat.completions.create({ ...question, messages: [...messages, message, result] });
    expect(last.choices[0]?.message.content).toBe("It rains.");
    expect(asked.at(-1)?.messages.slice(1)).toMatchObject([
      { role: "assistant", toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' }] },
      { role: "tool", toolCallId: "call_1" },
    ]);
  });

  it.each([
    ["messages.0.content.0.image_url.url", { messages: [{ role: "user", content: [foreignPicture] }] }],
    ["tools.0.function.name", { tools: [{ type: "function", function: { name: "no good" } }] }],
    ["tool_choice", { tool_choice: "maybe" }],
    ["stop.0", { stop: [""] }],
    ["max_completion_tokens", { max_tokens: 0 }],
  ])("is told in its own words that %s is wrong", async (param, extra) => {
    const { models } = createTakingModel();
    const body = { ...ask("x"), model: "taking", ...extra };
    // @ts-expect-error -- no client that checks its types sends all of these
    const call = clientOf(await open({ telex: { models } })).chat.completions.create(body);
    await expect(call).rejects.toMatchObject({ status: 400, code: "invalid_request", param });
  });

  it("gets a failure of the model with its status, or within the stream, never in the words of the provider", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    const create = () => clientOf(given).chat.completions.create({ ...ask("x"), model: "step", stream: true });
    model.fail(new Error("the key sk-1 is wrong"));
    await expect(create()).rejects.toMatchObject({ status: 503, code: "ai_unavailable", type: "server_error" });
    model.word("half");
    const stream = await create();
    model.fail(new Error("the key sk-2 is wrong"));
    const read = async () => {
      for await (const chunk of stream) expect(chunk.object).toBe("chat.completion.chunk");
    };
    const failure: unknown = await read().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ code: "ai_unavailable" });
    expect(String(failure)).not.toContain("sk-");
  });

  it.each([true, false])("ends with its token, whether it streams (%s)", async (stream) => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.word("half");
    const read = async (): Promise<void> => {
      const request = { ...ask("x"), model: "step" };
      const completions = clientOf(given).chat.completions;
      if (!stream) return void (await completions.create(request));
      for await (const { choices } of await completions.create({ ...request, stream })) {
        if (choices[0]?.delta.content === "half") await revoke();
      }
    };
    const revoke = () => given.telex.operator.tokens.revoke(operator, { token: given.alice.token });
    const outcome = read();
    if (!stream) {
      await until(() => model.state.asked === 1);
      await revoke();
    }
    await expect(outcome).rejects.toMatchObject({ code: "invalid_api_key" });
    await model.aborted;
  });

  it("stops the model when it goes away", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.word("one");
    const stream = await clientOf(given).chat.completions.create({ ...ask("x"), model: "step", stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content === "one") break;
    }
    await model.aborted;
    const caller = await callerOf(given);
    await expect.poll(async () => (await given.telex.ai.quota(caller, {})).tokenCount).toBeGreaterThan(0);
  });

  it("is told in its own form what an address does not take", async () => {
    const { send } = await open();
    const refused = await send("/v1/chat/completions");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await refused.json()).toMatchObject({
      error: { code: "method_not_allowed", type: "invalid_request_error" },
    });
  });
});

it("a whole answer is waited for, however long its model is silent", async () => {
  const model = createStepModel();
  const given = await setup("in process", { telex: { models: model.models }, limits: { socketSilence: 50 } });
  const serving = await serveHttp(given.http, { port: 0 });
  closeAfterTest(() => serving.close(0));
  const silent = Promise.withResolvers<void>();
  serving.server.on("connection", (socket: Socket) => socket.on("timeout", silent.resolve));
  const raw = await openRaw(serving.url);
  const body = JSON.stringify({ model: "step", messages: [{ role: "user", content: "x" }] });
  const headers = {
    authorization: `Bearer ${given.alice.token}`,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  raw.write(head("POST /v1/chat/completions", headers) + body);
  await silent.promise;
  model.word("at last");
  model.end();
  expect(await raw.until(/"total_tokens":\d+\}\}$/)).toContain('"content":"at last"');
});
