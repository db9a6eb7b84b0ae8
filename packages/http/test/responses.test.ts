import { operator } from "@telex/core";
import { APIError } from "openai";
import type { ResponseCreateParamsNonStreaming, ResponseStreamEvent } from "openai/resources/responses/responses";
import { expect, it } from "vitest";
import { createStepModel, createTakingModel } from "./models.ts";
import { clientOf } from "./openai-client.ts";
import { overBothTransports, type Setup } from "./setup.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const create = (given: Setup, body: ResponseCreateParamsNonStreaming) =>
  clientOf(given).responses.create({ model: "echo", ...body });

async function eventsOf(given: Setup, body: ResponseCreateParamsNonStreaming): Promise<ResponseStreamEvent[]> {
  const stream = await clientOf(given).responses.create({ model: "echo", ...body, stream: true });
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const typesOf = (events: readonly ResponseStreamEvent[]): string[] => events.map(({ type }) => type.slice(9));

const weather = {
  type: "function" as const,
  name: "weather",
  description: "The weather.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  strict: true,
};

overBothTransports("responses for the official client of OpenAI", (open) => {
  it("are whole, with their usage, which counts like a chat", async () => {
    const given = await open();
    const response = await create(given, {
      instructions: "Be kind.",
      input: "Hello world",
      metadata: { purpose: "test" },
      store: false,
      temperature: 0.3,
      text: { format: { type: "text" }, verbosity: "low" },
    });
    expect(response.output_text).toBe("Hello world");
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      error: null,
      incomplete_details: null,
      instructions: "Be kind.",
      metadata: { purpose: "test" },
      model: "echo",
      output: [
        {
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: "Hello world", annotations: [] }],
        },
      ],
      store: false,
      tools: [],
      usage: { input_tokens: 4, output_tokens: 2, total_tokens: 6 },
    });
    expect(response.id).toMatch(/^resp_/);
    const caller = await given.telex.authenticate(given.alice.token);
    expect(await given.telex.ai.quota(caller, {})).toMatchObject({ messageCount: 1, tokenCount: 6 });
    expect((await given.telex.ai.conversations(caller, {})).total).toBe(0);
  });

  it("come piece by piece, in numbered events", async () => {
    const given = await open();
    const events = await eventsOf(given, { input: "a b" });
    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const deltas = events.flatMap((event) => (event.type === "response.output_text.delta" ? [event.delta] : []));
    expect(deltas).toEqual(["a", " b"]);
    const last = events.at(-1);
    expect(last).toMatchObject({ response: { status: "completed", usage: { output_tokens: 2 } } });
    const ids = events.flatMap((event) => ("item_id" in event ? [event.item_id] : []));
    expect(new Set(ids).size).toBe(1);
    expect(last).toMatchObject({ response: { output: [{ id: ids[0], content: [{ text: "a b" }] }] } });
    const final = await clientOf(given).responses.stream({ model: "echo", input: "a b" }).finalResponse();
    expect(final.output_text).toBe("a b");
  });

  it("that are longer than allowed are incomplete", async () => {
    const given = await open();
    const body = { input: "a b c d", max_output_tokens: 2 };
    const incomplete = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(await create(given, body)).toMatchObject({ ...incomplete, output_text: "a b", max_output_tokens: 2 });
    expect((await eventsOf(given, body)).at(-1)).toMatchObject({ type: "response.incomplete", response: incomplete });
  });

  it("answer whole conversations, with pictures", async () => {
    const { models, asked } = createTakingModel();
    const given = await open({ telex: { models } });
    const { output_text: text } = await create(given, {
      model: "taking",
      instructions: "Be kind.",
      input: [
        { role: "developer", content: "Be brief." },
        { role: "user", content: "Hello" },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Hi", annotations: [] }],
        },
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url: pixel, detail: "low" },
          ],
        },
      ],
    });
    expect(text).toBe("1 pictures");
    expect(asked[0]?.messages).toMatchObject([
      { role: "system", content: "Be kind." },
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "What is this?", parts: [{ text: "What is this?" }, { image: pixel, detail: "low" }] },
    ]);
  });

  it("call tools, and take their results", async () => {
    const { models, asked } = createTakingModel();
    const given = await open({ telex: { models } });
    const question = {
      model: "taking",
      tools: [weather],
      tool_choice: { type: "function" as const, name: "weather" },
      parallel_tool_calls: false,
    };
    const input = [{ role: "user" as const, content: "Is it raining?" }];
    const { output, tools } = await create(given, { ...question, input });
    const call = { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' } as const;
    expect(output).toMatchObject([{ ...call, status: "completed" }]);
    expect(tools).toEqual([weather]);
    expect(asked[0]).toMatchObject({
      tools: [{ name: "weather", parameters: JSON.stringify(weather.parameters), strict: true }],
      toolChoice: { name: "weather" },
      parallelToolCalls: false,
    });
    const events = await eventsOf(given, { ...question, input });
    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    expect(events.at(-1)).toMatchObject({ response: { output: [call] } });
    const result = { type: "function_call_output" as const, call_id: "call_1", output: "It rains." };
    const last = await create(given, { ...question, input: [...input, call, result] });
    expect(last.output_text).toBe("It rains.");
    expect(asked.at(-1)?.messages.slice(1)).toMatchObject([
      { role: "assistant", toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' }] },
      { role: "tool", toolCallId: "call_1", content: "It rains." },
    ]);
  });

  it.each([
    ["previous_response_id", { previous_response_id: "resp_1" }],
    ["store", { store: true }],
    ["background", { background: true }],
    ["conversation", { conversation: "conv_1" }],
    ["input.0", { input: [{ type: "item_reference", id: "msg_1" }] }],
    ["text.format", { text: { format: { type: "json_object" } } }],
    ["truncation", { truncation: "auto" }],
    ["tools.0", { tools: [{ type: "web_search" }] }],
    ["tool_choice", { tool_choice: { type: "web_search" } }],
    ["input.0", { input: [{ type: "reasoning", summary: [] }] }],
    ["input.0.content.0", { input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] }],
    ["tools", { tools: [weather] }],
    ["input.0.content", { input: [{ role: "user", content: [{ type: "input_image", image_url: pixel }] }] }],
    [
      "input.1",
      {
        input: [
          { role: "user", content: "x" },
          { type: "function_call_output", call_id: "c", output: "x" },
        ],
      },
    ],
  ])("are not made with an unsupported %s", async (param, wrong) => {
    const given = await open();
    const refused = await given.post("/v1/responses", { model: "echo", input: "x", ...wrong }, given.alice.token);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: "unsupported_parameter", param } });
  });

  it("say what to send in place of a reference to an earlier response", async () => {
    const given = await open();
    const call = create(given, { input: "x", previous_response_id: "resp_1" });
    await expect(call).rejects.toThrow(/Responses are not kept here.*"previous_response_id"|不保存响应/);
  });

  it.each([
    ["top_k", "unknown_parameter", { top_k: 5 }],
    ["input.0.mood", "unknown_parameter", { input: [{ role: "user", content: "x", mood: "good" }] }],
    ["input", "invalid_request", { input: undefined }],
    ["input", "invalid_request", { input: [] }],
    ["input", "invalid_request", { input: 5 }],
    ["input", "invalid_request", { input: Array(2001).fill(null) }],
    ["input.0.role", "invalid_request", { input: [{ role: "robot", content: "x" }] }],
    ["instructions", "invalid_request", { instructions: 5 }],
    [
      "input.1.content.0.image_url",
      "invalid_request",
      {
        input: [
          { role: "user", content: "x" },
          { role: "user", content: [{ type: "input_image", image_url: "http://169.254.169.254/" }] },
        ],
      },
    ],
    [
      "input.1.name",
      "invalid_request",
      {
        input: [
          { role: "user", content: "x" },
          { type: "function_call", call_id: "c", name: "no good", arguments: "" },
        ],
      },
    ],
    ["input.0.call_id", "invalid_request", { input: [{ type: "function_call_output", call_id: "", output: "x" }] }],
    ["tools.0.name", "invalid_request", { tools: [{ type: "function", name: "no good" }] }],
    ["tool_choice", "invalid_request", { tool_choice: "maybe" }],
    ["max_output_tokens", "invalid_request", { max_output_tokens: 0 }],
  ])("are told in the caller's words that %s is wrong (%s)", async (param, code, wrong) => {
    const { models } = createTakingModel();
    const given = await open({ telex: { models } });
    const body = { model: "taking", instructions: "Be kind.", input: "x", ...wrong };
    const refused = await given.post("/v1/responses", body, given.alice.token);
    expect(await refused.json()).toMatchObject({ error: { code, param } });
  });

  it("fail with a status before their first event, and with events after it", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    const stream = () => clientOf(given).responses.create({ model: "step", input: "x", stream: true });
    model.fail(new Error("the key sk-1 is wrong"));
    await expect(stream()).rejects.toMatchObject({ status: 503, code: "ai_unavailable", type: "server_error" });
    model.word("half");
    const events = await stream();
    model.fail(new Error("the key sk-2 is wrong"));
    const read = async () => {
      for await (const event of events) expect(event.type).not.toBe("response.completed");
    };
    const failure: unknown = await read().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ code: "ai_unavailable" });
    expect(String(failure)).not.toContain("sk-");
  });

  it("end a stream that fails with error and response.failed", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.word("half");
    const response = await given.post("/v1/responses", { model: "step", input: "x", stream: true }, given.alice.token);
    model.fail(new Error("the key sk-3 is wrong"));
    const text = await response.text();
    expect(text).toMatch(
      /event: error\ndata: \{"type":"error","code":"ai_unavailable",[^\n]*"sequence_number":5\}\n\n/,
    );
    expect(text).toMatch(/event: response\.failed\ndata: [^\n]*"status":"failed"[^\n]*"sequence_number":6\}\n\n$/);
    expect(text).not.toContain("sk-3");
  });

  it("stop the model when the caller goes away, and end with the token", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.word("one");
    const stream = await clientOf(given).responses.create({ model: "step", input: "x", stream: true });
    for await (const event of stream) if (event.type === "response.output_text.delta") break;
    await model.aborted;
    model.word("two");
    const other = await clientOf(given).responses.create({ model: "step", input: "x", stream: true });
    const read = async () => {
      for await (const event of other) {
        if (event.type === "response.output_text.delta")
          await given.telex.operator.tokens.revoke(operator, { token: given.alice.token });
      }
    };
    await expect(read()).rejects.toMatchObject({ code: "invalid_api_key" });
  });
});
