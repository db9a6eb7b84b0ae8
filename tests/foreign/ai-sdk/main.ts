import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  embed,
  embedMany,
  generateText,
  type LanguageModel,
  Output,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import { z } from "zod";

/** Calls a Telex server with the AI SDK, and prints the results as JSON. */
const [url = "", token = "", picture = ""] = process.argv.slice(2);

const providerOf = (apiKey: string) =>
  createOpenAICompatible({ name: "telex", baseURL: url, apiKey, includeUsage: true });
const telex = providerOf(token);
const echo = telex("echo");

/** By default, the SDK stores responses and refers to them. */
const openai = createOpenAI({ baseURL: url, apiKey: token });
const providerOptions = { openai: { store: false } };

async function whole(model: LanguageModel = echo) {
  const { text, finishReason, usage } = await generateText({ model, providerOptions, prompt: "Hello world" });
  return { content: text, finish: finishReason, usage: [usage.inputTokens, usage.outputTokens] };
}

async function streamed(model: LanguageModel = echo) {
  const result = streamText({ model, providerOptions, prompt: "a b c" });
  const pieces: string[] = [];
  for await (const piece of result.textStream) pieces.push(piece);
  const { inputTokens, outputTokens } = await result.usage;
  return { pieces, usage: [inputTokens, outputTokens] };
}

const settings = {
  temperature: 0.2,
  topP: 0.9,
  presencePenalty: 1,
  frequencyPenalty: -1,
  seed: 7,
  stopSequences: ["END"],
  maxOutputTokens: 50,
};

async function withSettings() {
  const chat = openai.chat("taking");
  const more = { openai: { reasoningEffort: "low", textVerbosity: "high" } };
  const { text, usage } = await generateText({
    ...settings,
    model: chat,
    providerOptions: more,
    prompt: "settings",
    output: Output.json(),
  });
  const { response } = await generateText({
    ...settings,
    model: echo,
    providerOptions: { telex: more.openai },
    prompt: "x",
  });
  const ignored = response.headers?.["x-telex-ignored"] ?? "";
  return {
    seen: JSON.parse(text) as unknown,
    details: [usage.inputTokenDetails.cacheReadTokens, usage.outputTokenDetails.reasoningTokens],
    ignored: ignored.split(", ").toSorted(),
  };
}

async function leave(): Promise<boolean> {
  const stopping = new AbortController();
  const result = streamText({ model: telex("endless"), prompt: "x", abortSignal: stopping.signal });
  for await (const piece of result.textStream) {
    if (piece === "") continue;
    stopping.abort();
    return true;
  }
  return false;
}

async function failure(attempt: Promise<unknown>): Promise<unknown> {
  const error: unknown = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!APICallError.isInstance(error)) return String(error);
  const body = z.object({ error: z.object({ code: z.string() }) }).parse(JSON.parse(error.responseBody ?? ""));
  return [error.statusCode, body.error.code];
}

async function call(model: LanguageModel = telex("taking")) {
  const names: string[] = [];
  const weather = tool({
    description: "The weather of a city.",
    inputSchema: z.object({ city: z.string() }),
    execute({ city }) {
      names.push("weather");
      return `It rains in ${city}.`;
    },
  });
  const options = { model, providerOptions, tools: { weather }, stopWhen: stepCountIs(3) };
  const { text } = await generateText({ ...options, prompt: "Is it raining?" });
  return { name: names.join(), answer: text };
}

async function look(model: LanguageModel = telex("taking")): Promise<string> {
  const image = { type: "image", image: picture } as const;
  const content = [{ type: "text", text: "What is this?" } as const, image];
  return (await generateText({ model, providerOptions, messages: [{ role: "user", content }] })).text;
}

const isClose = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((number, index) => Math.abs(number - (other[index] ?? 0)) < 1e-6);

async function embeddings() {
  const options = { providerOptions: { openai: { dimensions: 8 }, telex: { dimensions: 8 } }, maxRetries: 0 };
  const many = await embedMany({ ...options, model: telex.embeddingModel("vectors"), values: ["tea", "coffee"] });
  const { embedding } = await embed({ ...options, model: openai.embeddingModel("vectors"), value: "tea" });
  const [tea = [], coffee = []] = many.embeddings;
  const unsupported = embed({ ...options, model: openai.embeddingModel("echo"), value: "tea" });
  return {
    lengths: [tea.length, coffee.length],
    isSame: isClose(tea, embedding),
    isDifferent: !isClose(tea, coffee),
    unsupported: await failure(unsupported),
  };
}

async function responses() {
  const { content, usage } = await whole(openai.responses("echo"));
  const kept = { providerOptions: { openai: { previousResponseId: "resp_1" } }, maxRetries: 0 };
  return {
    whole: { content, usage },
    streamed: await streamed(openai.responses("echo")),
    call: await call(openai.responses("taking")),
    look: await look(openai.responses("taking")),
    kept: await failure(generateText({ ...kept, model: openai.responses("echo"), prompt: "x" })),
  };
}

const stopping = await generateText({ model: echo, prompt: "one two END three", stopSequences: ["END"] });
const asking = (model: ReturnType<typeof telex>) => generateText({ model, prompt: "x", maxRetries: 0 });
const seen = {
  whole: await whole(),
  streamed: await streamed(),
  stopped: stopping.text,
  settings: await withSettings(),
  left: await leave(),
  unknownModel: await failure(asking(telex("none"))),
  wrongKey: await failure(asking(providerOf("nobody")("echo"))),
  call: await call(),
  look: await look(),
  embeddings: await embeddings(),
  responses: await responses(),
};
console.log(JSON.stringify(seen));
