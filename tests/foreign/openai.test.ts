import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { foreign } from "./support/cache.ts";
import { goProgram } from "./support/go.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Client {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Features that the client lacks. */
  readonly lacks?: readonly string[];
  /** The client's name for the limit of a reply. Default: the newer name. */
  readonly limitField?: "max_tokens";
}

const clients: readonly Client[] = [
  {
    name: "the official Python client",
    command: [pythonProgram("python"), join(foreign, "openai-python", "main.py")],
  },
  { name: "go-openai", command: [goProgram("openai-go")], lacks: ["responses", "settings"] },
  {
    name: "LangChain in Python",
    command: [pythonProgram("python"), join(foreign, "langchain-python", "main.py")],
    lacks: ["models", "left", "embeddings"],
  },
  {
    name: "LangChain",
    command: [process.execPath, join(foreign, "langchain", "main.ts")],
    lacks: ["models", "left", "embeddings"],
    limitField: "max_tokens",
  },
  {
    name: "the AI SDK",
    command: [process.execPath, join(foreign, "ai-sdk", "main.ts")],
    lacks: ["models"],
    limitField: "max_tokens",
  },
];

/** The expected output of each program. */
const all = {
  models: ["echo", "taking", "endless", "vectors"],
  whole: { content: "Hello world", finish: "stop", usage: [2, 2] },
  streamed: { pieces: ["a", " b", " c"], usage: [3, 3] },
  stopped: "one two ",
  settings: {
    seen: {
      temperature: 0.2,
      topP: 0.9,
      presencePenalty: 1,
      frequencyPenalty: -1,
      seed: 7,
      reasoningEffort: "low",
      verbosity: "high",
      responseFormat: {},
      maxOutputTokens: 50,
      stops: 1,
      messages: 1,
      isOver: false,
    },
    details: [1, 1],
    ignored: ["frequency_penalty", "presence_penalty", "reasoning_effort", "seed", "temperature", "top_p", "verbosity"],
  },
  left: true,
  unknownModel: [404, "model_not_found"],
  wrongKey: [401, "invalid_api_key"],
  call: { name: "weather", answer: "It rains in Oslo." },
  look: "pictures: 1",
  embeddings: { lengths: [8, 8], isSame: true, isDifferent: true, unsupported: [404, "model_not_found"] },
  responses: {
    whole: { content: "Hello world", usage: [2, 2] },
    streamed: { pieces: ["a", " b", " c"], usage: [3, 3] },
    call: { name: "weather", answer: "It rains in Oslo." },
    look: "pictures: 1",
    kept: [400, "unsupported_parameter"],
  },
};

/** Runs a program against a server, and returns its output. */
async function see(client: Client, count?: number) {
  const { command, lacks = [], limitField = "max_completion_tokens" } = client;
  const [program, ...args] = command;
  const server = await startServer({}, count);
  onTestFinished(() => server.close());
  const output = await runToSuccess(program, [...args, `${server.url}/v1`, server.token, pixel]);
  const { settings } = all;
  const named = { ...settings, seen: { ...settings.seen, limitField } };
  const expected = Object.fromEntries(
    Object.entries({ ...all, settings: named }).filter(([name]) => !lacks.includes(name)),
  );
  return { seen: JSON.parse(output) as unknown, expected, stopped: server.stopped };
}

// The test database is written in Python, and takes a while to create collections for three servers.
const timeout = 180_000;

describe.each(clients)("a program with $name", { timeout }, (client) => {
  it("lists, asks, streams, stops, counts, fails, calls tools, sends pictures, and makes vectors", async () => {
    const { seen, expected, stopped } = await see(client);
    expect(seen).toEqual(expected);
    if (client.lacks?.includes("left") !== true) await stopped;
  });
});

it.each(clients.slice(0, 1))("$name sees three servers as one", { timeout }, async (client) => {
  const { seen, expected, stopped } = await see(client, 3);
  expect(seen).toEqual(expected);
  await stopped;
});
