import { createServer, type IncomingMessage } from "node:http";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ChatRequest } from "@telex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { causeOf, modelOf, read } from "./support.ts";

/** A provider that answers each request with the next of these, as events or as a refusal. */
async function serveProvider(answers: (readonly object[] | number)[]) {
  const asked: { readonly url: string; readonly body: unknown }[] = [];
  const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
    return JSON.parse(text);
  };
  const server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const body = await bodyOf(request);
      asked.push({ url: request.url ?? "", body });
      const answer = answers.shift() ?? 500;
      if (typeof answer === "number") return void response.writeHead(answer).end('{"error":{"message":"the key"}}');
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    };
    void reply();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, asked };
}

interface Provider {
  readonly name: string;
  readonly model: (baseURL: string) => LanguageModelV4;
  /** A reply of a thought, a text and a call. */
  readonly reply: readonly object[];
  readonly usage: object;
  /** How the request has the picture, the tool, its result, the temperature and the effort. */
  readonly body: object;
}

const anthropic: Provider = {
  name: "Anthropic",
  model: (baseURL) => createAnthropic({ baseURL, apiKey: "a key" })("claude-opus-4-5"),
  reply: [
    {
      type: "message_start",
      message: {
        id: "m",
        model: "claude",
        role: "assistant",
        content: [],
        usage: { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 5 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Let me see." } },
    { type: "content_block_stop", index: 1 },
    {
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "c2", name: "weather", input: {} },
    },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"city":"Rome"}' } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  ],
  usage: { promptTokens: 14, completionTokens: 7, cachedTokens: 5 },
  body: {
    system: [{ type: "text", text: "Be kind." }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "weather", input: { city: "Oslo" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "It rains." }] },
    ],
    tools: [{ name: "weather", input_schema: { type: "object" } }],
    stream: true,
  },
};

const google: Provider = {
  name: "Google",
  model: (baseURL) => createGoogle({ baseURL, apiKey: "a key" })("gemini-3-pro"),
  reply: [
    { candidates: [{ content: { role: "model", parts: [{ text: "hm", thought: true }] } }] },
    { candidates: [{ content: { role: "model", parts: [{ text: "Let me see." }] } }] },
    {
      candidates: [
        {
          content: { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Rome" } } }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: 14,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
        cachedContentTokenCount: 5,
        totalTokenCount: 21,
      },
    },
  ],
  usage: { promptTokens: 14, completionTokens: 7, cachedTokens: 5, reasoningTokens: 2 },
  body: {
    systemInstruction: { parts: [{ text: "Be kind." }] },
    contents: [
      { role: "user", parts: [{ text: "Look" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
      { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Oslo" } } }] },
      { role: "user", parts: [{ functionResponse: { name: "weather" } }] },
    ],
    generationConfig: { temperature: 0.2, maxOutputTokens: 100 },
    tools: [{ functionDeclarations: [{ name: "weather" }] }],
  },
};

const conversation: Partial<ChatRequest> = {
  messages: [
    { role: "system", content: "Be kind." },
    { role: "user", content: "Look", parts: [{ text: "Look" }, { image: "data:image/png;base64,AAAA" }] },
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "weather", arguments: '{"city":"Oslo"}' }] },
    { role: "tool", content: "It rains.", toolCallId: "c1" },
  ],
  temperature: 0.2,
  tools: [{ name: "weather", parameters: '{"type":"object","properties":{"city":{"type":"string"}}}' }],
};

describe.each([anthropic, google])("a fake of $name, in its own wire form", ({ model, reply, usage, body }) => {
  it("gets pictures, tools and settings, and its reply with thoughts, text and calls is passed on", async () => {
    const { url, asked } = await serveProvider([reply]);
    const parts = await read(modelOf(model(url), {}, { images: true, tools: true }), conversation);
    const text = parts.map((part) => (part.kind === "delta" ? part.delta : "")).join("");
    const call = parts.map((part) => (part.kind === "tool_call" ? part.arguments : "")).join("");
    expect([text, call]).toEqual(["Let me see.", '{"city":"Rome"}']);
    expect(parts.at(-1)).toMatchObject({
      kind: "end",
      finishReason: "tool_calls",
      usage: { ...usage, estimated: false },
    });
    expect(asked[0]?.body).toMatchObject(body);
  });

  it("is asked again if it is overloaded, not if it refuses, and its words are kept back", async () => {
    const busy = await serveProvider([503, reply]);
    expect((await read(modelOf(model(busy.url)), conversation)).at(-1)).toMatchObject({ kind: "end" });
    for (const [status, code] of [
      [400, "invalid_request"],
      [401, "ai_unavailable"],
    ] as const) {
      const { url, asked } = await serveProvider([status]);
      expect(await causeOf(read(modelOf(model(url)), conversation))).toEqual([
        code,
        `The provider answered ${status}.`,
      ]);
      expect(asked).toHaveLength(1);
    }
  });

  it("that breaks off in the middle fails", async () => {
    const { url } = await serveProvider([reply.slice(0, -2)]);
    expect(await causeOf(read(modelOf(model(url)), conversation))).toEqual([
      "ai_unavailable",
      "The provider broke off.",
    ]);
  });
});
