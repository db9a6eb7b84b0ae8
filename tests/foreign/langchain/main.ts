import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import { z } from "zod";

/** Calls a Telex server with LangChain, and prints the results as JSON. */
const [url = "", token = "", picture = ""] = process.argv.slice(2);

const modelOf = (model: string, fields: ChatOpenAIFields = {}) =>
  new ChatOpenAI({ model, apiKey: token, maxRetries: 0, configuration: { baseURL: url }, ...fields });

const usage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  input_token_details: z.object({ cache_read: z.int() }).partial().default({}),
  output_token_details: z.object({ reasoning: z.int() }).partial().default({}),
});

function usageOf({ usage_metadata: given }: { readonly usage_metadata?: unknown }) {
  const { input_tokens: input, output_tokens: output } = usage.parse(given);
  return [input, output];
}

async function whole(fields?: ChatOpenAIFields) {
  const message = await modelOf("echo", fields).invoke("Hello world");
  const finish: unknown = message.response_metadata["finish_reason"];
  return { content: message.text, finish, usage: usageOf(message) };
}

async function streamed(fields?: ChatOpenAIFields) {
  const pieces: string[] = [];
  let used: unknown = null;
  for await (const chunk of await modelOf("echo", { streamUsage: true, ...fields }).stream("a b c")) {
    if (chunk.text !== "") pieces.push(chunk.text);
    if (chunk.usage_metadata !== undefined) used = usageOf(chunk);
  }
  return { pieces, usage: used };
}

const settings = {
  temperature: 0.2,
  topP: 0.9,
  presencePenalty: 1,
  frequencyPenalty: -1,
  reasoning: { effort: "low" },
  verbosity: "high",
  stop: ["END"],
  maxTokens: 50,
  modelKwargs: { reasoning_effort: "low", seed: 7 },
} as const;

async function withSettings() {
  const fields = { ...settings, stop: [...settings.stop] };
  const format = { response_format: { type: "json_object" } } as const;
  const message = await modelOf("taking", fields).invoke("settings", format);
  let ignored = "";
  const watching: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    ignored = response.headers.get("x-telex-ignored") ?? "";
    return response;
  };
  await modelOf("echo", { ...fields, configuration: { baseURL: url, fetch: watching } }).invoke("x");
  const { input_token_details: input, output_token_details: output } = usage.parse(message.usage_metadata);
  return {
    seen: JSON.parse(message.text) as unknown,
    details: [input.cache_read, output.reasoning],
    ignored: ignored.split(", ").toSorted(),
  };
}

const refusal = z.object({ status: z.number(), code: z.string() });

async function failure(attempt: Promise<unknown>): Promise<unknown> {
  const error: unknown = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const refused = refusal.safeParse(error);
  return refused.success ? [refused.data.status, refused.data.code] : String(error);
}

const weather = tool(({ city }) => `It rains in ${city}.`, {
  name: "weather",
  description: "The weather of a city.",
  schema: z.object({ city: z.string() }),
});

async function call(fields?: ChatOpenAIFields) {
  const model = modelOf("taking", fields).bindTools([weather]);
  const question = new HumanMessage("Is it raining?");
  const asked = await model.invoke([question]);
  const [wanted] = asked.tool_calls ?? [];
  if (wanted?.id === undefined) return "no call";
  const { city } = z.object({ city: z.string() }).parse(wanted.args);
  const result = new ToolMessage({ content: await weather.invoke({ city }), tool_call_id: wanted.id });
  return { name: wanted.name, answer: (await model.invoke([question, asked, result])).text };
}

async function look(fields?: ChatOpenAIFields): Promise<string> {
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: picture } },
  ];
  return (await modelOf("taking", fields).invoke([new HumanMessage({ content })])).text;
}

async function responses() {
  const fields = { useResponsesApi: true, zdrEnabled: true };
  const answer = await whole(fields);
  const kept = modelOf("echo", { ...fields, modelKwargs: { previous_response_id: "resp_1" } });
  return {
    whole: { content: answer.content, usage: answer.usage },
    streamed: await streamed(fields),
    call: await call(fields),
    look: await look(fields),
    kept: await failure(kept.invoke("x")),
  };
}

const seen = {
  whole: await whole(),
  streamed: await streamed(),
  stopped: (await modelOf("echo", { stop: ["END"] }).invoke("one two END three")).text,
  settings: await withSettings(),
  unknownModel: await failure(modelOf("none").invoke("x")),
  wrongKey: await failure(modelOf("echo", { apiKey: "nobody" }).invoke("x")),
  call: await call(),
  look: await look(),
  responses: await responses(),
};
console.log(JSON.stringify(seen));
