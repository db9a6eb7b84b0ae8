import { echoModel } from "@telex/core";
import { describe, expect, it } from "vitest";
import type { FieldFate, FieldFates } from "../src/openai/fates.ts";
import { chatFates } from "../src/openai/request.ts";
import { responseFates } from "../src/openai/response-request.ts";
import { createTakingModel } from "./models.ts";
import { setup } from "./setup.ts";

/** A value of a field, and its effect on the model's request or on the response. */
interface Sample {
  readonly value: unknown;
  /** The request to the model, for fields that reach it. */
  readonly asked?: object;
  /** The fields of the response, for fields that Telex reads. */
  readonly answer?: object;
}

const any: Sample = { value: "x" };
const schema = { type: "object", properties: {} };
const asked = { name: "reply", strict: true, schema: JSON.stringify(schema) };
const weather = { name: "weather", parameters: schema };
const offered = { name: "weather", parameters: JSON.stringify(schema) };

const shared: Readonly<Record<string, Sample>> = {
  metadata: { value: { purpose: "test" } },
  model: { value: "taking", answer: { model: "taking" } },
  moderation: { value: { model: "omni-moderation-latest" } },
  parallel_tool_calls: { value: false, asked: { parallelToolCalls: false } },
  prompt_cache_key: any,
  prompt_cache_options: { value: { mode: "explicit" } },
  prompt_cache_retention: { value: "24h" },
  safety_identifier: any,
  service_tier: { value: "flex" },
  stream: { value: false, answer: {} },
  stream_options: { value: { include_usage: true }, answer: {} },
  temperature: { value: 0.2, asked: { temperature: 0.2 } },
  top_logprobs: { value: 3 },
  top_p: { value: 0.5, asked: { topP: 0.5 } },
  user: any,
};

const chat: Readonly<Record<string, Sample>> = {
  ...shared,
  audio: { value: { voice: "alloy", format: "wav" } },
  frequency_penalty: { value: -1.5, asked: { frequencyPenalty: -1.5 } },
  function_call: { value: "auto" },
  functions: { value: [weather] },
  logit_bias: { value: { 50_256: -100 } },
  logprobs: { value: true },
  max_completion_tokens: { value: 7, asked: { maxOutputTokens: 7, limitField: "max_completion_tokens" } },
  max_tokens: { value: 7, asked: { maxOutputTokens: 7, limitField: "max_tokens" } },
  messages: { value: [{ role: "user", content: "y" }], asked: { messages: [{ role: "user", content: "y" }] } },
  modalities: { value: ["text", "audio"] },
  n: { value: 2 },
  prediction: { value: { type: "content", content: "x" } },
  presence_penalty: { value: 2, asked: { presencePenalty: 2 } },
  reasoning_effort: { value: "high", asked: { reasoningEffort: "high" } },
  response_format: {
    value: { type: "json_schema", json_schema: { name: "reply", strict: true, schema } },
    asked: { responseFormat: asked },
  },
  seed: { value: 42, asked: { seed: 42 } },
  stop: { value: "END", asked: { stop: ["END"] } },
  store: { value: true },
  tool_choice: { value: "required", asked: { toolChoice: "required" } },
  tools: { value: [{ type: "function", function: weather }], asked: { tools: [offered] } },
  verbosity: { value: "low", asked: { verbosity: "low" } },
  web_search_options: { value: {} },
};

const responses: Readonly<Record<string, Sample>> = {
  ...shared,
  metadata: { value: { purpose: "test" }, answer: { metadata: { purpose: "test" } } },
  stream_options: { value: {}, answer: {} },
  access_programs: { value: {} },
  background: { value: true },
  context_management: { value: [{ type: "compaction" }] },
  conversation: any,
  image: any,
  include: { value: ["reasoning.encrypted_content"] },
  input: { value: "y", asked: { messages: [{ role: "user", content: "y" }] } },
  instructions: { value: "Be kind.", asked: { messages: [{ role: "system" }, { role: "user" }] } },
  max_output_tokens: { value: 7, asked: { maxOutputTokens: 7 } },
  max_tool_calls: { value: 2 },
  previous_response_id: any,
  prompt: { value: { id: "pmpt_1" } },
  reasoning: {
    value: { effort: "high" },
    asked: { reasoningEffort: "high" },
    answer: { reasoning: { effort: "high" } },
  },
  store: { value: true },
  text: {
    value: { format: { type: "json_schema", ...asked, schema }, verbosity: "low" },
    asked: { responseFormat: asked, verbosity: "low" },
  },
  tool_choice: { value: "required", asked: { toolChoice: "required" } },
  tools: { value: [{ type: "function", ...weather }], asked: { tools: [offered] } },
  truncation: { value: "auto" },
};

const documents = [
  {
    path: "/v1/chat/completions",
    fates: chatFates,
    samples: chat,
    body: { messages: [{ role: "user", content: "x" }] },
  },
  { path: "/v1/responses", fates: responseFates, samples: responses, body: { input: "x" } },
] as const;

async function openModels() {
  const { models, asked: requests } = createTakingModel();
  const { post, alice } = await setup("in process", { telex: { models: new Map([["plain", echoModel], ...models]) } });
  const send = async (path: string, body: object) => {
    const response = await post(path, body, alice.token);
    const answer: unknown = await response.json();
    return { status: response.status, ignored: response.headers.get("x-telex-ignored"), answer };
  };
  return { send, requests };
}

const rows = (fates: FieldFates, ...wanted: FieldFate["fate"][]): [string, FieldFate][] =>
  Object.entries(fates).filter(([, { fate }]) => wanted.includes(fate));

describe.each(documents)("each field of POST $path", ({ path, fates, samples, body }) => {
  it("is in the table", () => expect(Object.keys(samples).toSorted()).toEqual(Object.keys(fates).toSorted()));

  it.each(rows(fates, "read", "passed"))("%s reaches a model that takes it, or is used", async (field) => {
    const { send, requests } = await openModels();
    const { value, asked: expected = {}, answer = {} } = samples[field] ?? any;
    const seen = await send(path, { ...body, model: "taking", [field]: value });
    expect(seen).toMatchObject({ status: 200, ignored: null, answer });
    expect(requests[0]).toMatchObject(expected);
  });

  it.each(rows(fates, "passed", "ignored"))("%s is named in a header where it reaches nothing", async (field, fate) => {
    const { send } = await openModels();
    const model = fate.fate === "passed" ? "plain" : "taking";
    const { value } = samples[field] ?? any;
    expect(await send(path, { ...body, model, [field]: value })).toMatchObject({ status: 200, ignored: field });
  });

  it.each(rows(fates, "refused", "kept"))("%s is refused by its name", async (field) => {
    const { send } = await openModels();
    const { value } = samples[field] ?? any;
    const error = { code: "unsupported_parameter", param: field };
    expect(await send(path, { ...body, model: "taking", [field]: value })).toMatchObject({
      status: 400,
      answer: { error },
    });
  });

  it("with its default, with null, or a label, is accepted by every model", async () => {
    const { send } = await openModels();
    const labels = rows(fates, "label").map(([field]) => [field, samples[field]?.value] as const);
    const defaults = Object.entries(fates).flatMap(([field, fate]) =>
      fate.defaults.map((value) => [field, value] as const),
    );
    const nulls = Object.keys(fates).flatMap((field) => (field in body ? [] : [[field, null] as const]));
    for (const [field, value] of [...labels, ...defaults, ...nulls]) {
      expect(await send(path, { ...body, model: "plain", [field]: value })).toMatchObject({
        status: 200,
        ignored: null,
      });
    }
    const choices = ["none", "auto"].map((choice) => ({ tool_choice: choice }));
    for (const more of [...choices, { tools: [] }]) {
      expect(await send(path, { ...body, model: "plain", ...more })).toMatchObject({ status: 200, ignored: null });
    }
  });

  it("of all is at most once in the header", async () => {
    const { send } = await openModels();
    const more = { temperature: 0.2, top_p: 0.5, service_tier: "priority", prompt_cache_retention: "24h" };
    const { status, ignored } = await send(path, { ...body, model: "plain", ...more });
    expect([status, ignored?.split(", ").toSorted()]).toEqual([
      200,
      ["prompt_cache_retention", "service_tier", "temperature", "top_p"],
    ]);
  });
});

const [ofChat, ofResponses] = documents;
const weatherCall = { name: "weather", arguments: "{}" };

describe("fields within fields", () => {
  it.each([
    [ofChat, { stream_options: { include_obfuscation: true } }, "stream_options.include_obfuscation"],
    [ofChat, { messages: [{ role: "user", name: "bob", content: "x" }] }, "messages.name"],
    [ofResponses, { reasoning: { effort: "low", summary: "auto" } }, "reasoning.effort, reasoning.summary"],
    [ofResponses, { text: { verbosity: "high" } }, "text.verbosity"],
    [ofResponses, { temperature: 0.5 }, "temperature"],
  ])("are named like those above", async ({ path, body }, more, ignored) => {
    const { send } = await openModels();
    expect(await send(path, { ...body, model: "plain", ...more })).toMatchObject({ status: 200, ignored });
  });

  it.each([
    [ofChat, { response_format: { type: "json_object" } }, "response_format"],
    [ofChat, { response_format: { type: "grammar" } }, "response_format"],
    [ofChat, { tool_choice: "required" }, "tool_choice"],
    [ofChat, { messages: [{ role: "assistant", content: "x", audio: { id: "a" } }] }, "messages.0.audio"],
    [ofResponses, { text: { format: { type: "json_object" } } }, "text.format"],
    [ofResponses, { include: ["message.output_text.logprobs"] }, "include"],
  ])("that cannot be kept are refused by their names", async ({ path, body }, more, param) => {
    const { send } = await openModels();
    const error = { code: "unsupported_parameter", param };
    expect(await send(path, { ...body, model: "plain", ...more })).toMatchObject({ status: 400, answer: { error } });
  });

  it.each([
    [ofChat, { temperature: 3 }, "invalid_request", "temperature"],
    [ofChat, { top_p: "high" }, "invalid_request", "top_p"],
    [ofChat, { reasoning_effort: "huge" }, "invalid_request", "reasoning_effort"],
    [ofChat, { seed: 0.5 }, "invalid_request", "seed"],
    [
      ofChat,
      { response_format: { type: "json_schema", json_schema: { name: "x", schema: "no" } } },
      "invalid_request",
      "response_format.json_schema.schema",
    ],
    [ofResponses, { reasoning: { effort: "huge" } }, "invalid_request", "reasoning.effort"],
    [ofResponses, { reasoning: { mood: "good" } }, "unknown_parameter", "reasoning.mood"],
    [
      ofResponses,
      { text: { format: { type: "json_schema", name: "a b", schema } } },
      "invalid_request",
      "text.format.name",
    ],
  ])("that are wrong are named in the words of the caller", async ({ path, body }, more, code, param) => {
    const { send } = await openModels();
    const answer = { error: { code, param } };
    expect(await send(path, { ...body, model: "taking", ...more })).toMatchObject({ status: 400, answer });
  });

  it.each([
    [
      ofChat,
      {
        messages: [
          { role: "user", content: "" },
          { role: "assistant", content: "", tool_calls: [{ id: "c", type: "function", function: weatherCall }] },
          { role: "tool", tool_call_id: "c", content: "" },
        ],
      },
    ],
    [
      ofResponses,
      {
        input: [
          { role: "user", content: "" },
          { type: "function_call", call_id: "c", ...weatherCall },
          { type: "function_call_output", call_id: "c", output: "" },
        ],
      },
    ],
  ])("reach the model with empty texts, such as the result of a tool that has printed nothing", async (of, more) => {
    const { send, requests } = await openModels();
    expect(await send(of.path, { ...of.body, model: "taking", ...more })).toMatchObject({ status: 200 });
    expect(requests[0]?.messages).toMatchObject([
      { role: "user", content: "" },
      { role: "assistant", content: "", toolCalls: [{ id: "c", name: "weather" }] },
      { role: "tool", content: "", toolCallId: "c" },
    ]);
  });

  it("tell the tokens that were read before, and those of reasoning, if the model reports them", async () => {
    const { send } = await openModels();
    expect((await send(ofChat.path, { ...ofChat.body, model: "taking" })).answer).toMatchObject({
      usage: { prompt_tokens_details: { cached_tokens: 5 }, completion_tokens_details: { reasoning_tokens: 1 } },
    });
    const plain = await send(ofChat.path, { ...ofChat.body, model: "plain" });
    expect(JSON.stringify(plain.answer)).not.toContain("details");
    expect((await send(ofResponses.path, { ...ofResponses.body, model: "taking" })).answer).toMatchObject({
      usage: { input_tokens_details: { cached_tokens: 5 }, output_tokens_details: { reasoning_tokens: 1 } },
    });
  });
});
