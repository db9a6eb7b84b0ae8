import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

/** Asks a Telex server with the AI SDK, and prints what it saw as JSON. */
const [url = "", token = "", picture = ""] = process.argv.slice(2);

const providerOf = (apiKey: string) =>
  createOpenAICompatible({ name: "telex", baseURL: url, apiKey, includeUsage: true });
const telex = providerOf(token);
const echo = telex("echo");

async function whole() {
  const { text, finishReason, usage } = await generateText({ model: echo, prompt: "Hello world" });
  return { content: text, finish: finishReason, usage: [usage.inputTokens, usage.outputTokens] };
}

async function streamed() {
  const result = streamText({ model: echo, prompt: "a b c" });
  const pieces: string[] = [];
  for await (const piece of result.textStream) pieces.push(piece);
  const { inputTokens, outputTokens } = await result.usage;
  return { pieces, usage: [inputTokens, outputTokens] };
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

async function call() {
  const names: string[] = [];
  const weather = tool({
    description: "The weather of a city.",
    inputSchema: z.object({ city: z.string() }),
    execute({ city }) {
      names.push("weather");
      return `It rains in ${city}.`;
    },
  });
  const options = { model: telex("taking"), tools: { weather }, stopWhen: stepCountIs(3) };
  const { text } = await generateText({ ...options, prompt: "Is it raining?" });
  return { name: names.join(), answer: text };
}

async function look(): Promise<string> {
  const image = { type: "image", image: picture } as const;
  const content = [{ type: "text", text: "What is this?" } as const, image];
  return (await generateText({ model: telex("taking"), messages: [{ role: "user", content }] })).text;
}

const stopping = await generateText({ model: echo, prompt: "one two END three", stopSequences: ["END"] });
const asking = (model: ReturnType<typeof telex>) => generateText({ model, prompt: "x", maxRetries: 0 });
const seen = {
  whole: await whole(),
  streamed: await streamed(),
  stopped: stopping.text,
  left: await leave(),
  unknownModel: await failure(asking(telex("none"))),
  wrongKey: await failure(asking(providerOf("nobody")("echo"))),
  call: await call(),
  look: await look(),
};
console.log(JSON.stringify(seen));
