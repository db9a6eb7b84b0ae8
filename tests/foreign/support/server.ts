import { LLMock } from "@copilotkit/aimock";
import { openAiModels } from "@telex/ai-openai";
import { createMemoryBlobs } from "@telex/blobs/memory";
import {
  type ChatModel,
  type ChatRequest,
  createLocalBus,
  createTelex,
  echoModel,
  operator,
  type ReplySetting,
  type TelexOptions,
} from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createMongoBlobs, createMongoStorage } from "@telex/storage-mongo";
import { startMongo } from "test-support/mongo";
import { startProxy } from "./proxies.ts";

const usage = { promptTokens: 1, completionTokens: 1, estimated: false };

/** The settings of a request, by name. */
const settingsIn = ({ messages, signal, stop = [], ...settings }: ChatRequest): string =>
  // A reply ends before a stop text, so it contains only the number of stop texts.
  JSON.stringify({ ...settings, stops: stop.length, messages: messages.length, isOver: signal.aborted });

const everySetting: readonly ReplySetting[] = [
  "temperature",
  "topP",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "reasoningEffort",
  "verbosity",
  "parallelToolCalls",
  "responseFormat",
];

/** Replies with the settings of the request if asked for them, calls the first offered tool, repeats the result of a tool, and otherwise describes the received pictures. */
export const taking: ChatModel = {
  ...echoModel,
  takesImages: true,
  takesTools: true,
  takesSettings: everySetting,
  async *reply(request) {
    const { messages, tools = [] } = request;
    const last = messages.at(-1);
    if (last?.content === "settings") {
      yield { kind: "delta", delta: settingsIn(request) };
      yield { kind: "end", finishReason: "stop", usage: { ...usage, cachedTokens: 1, reasoningTokens: 1 } };
      return;
    }
    const [tool] = tools;
    if (tool !== undefined && last?.role !== "tool") {
      yield { kind: "tool_call", index: 0, id: "call_1", name: tool.name, arguments: '{"city":' };
      yield { kind: "tool_call", index: 0, arguments: '"Oslo"}' };
      yield { kind: "end", finishReason: "tool_calls", usage };
      return;
    }
    const pictures = (last?.parts ?? []).filter(({ image }) => image !== undefined).length;
    yield { kind: "delta", delta: last?.role === "tool" ? last.content : `pictures: ${pictures}` };
    yield { kind: "end", finishReason: "stop", usage };
  },
};

/** A model that replies until it is stopped. */
function createEndless() {
  const stopped = Promise.withResolvers<void>();
  const model: ChatModel = {
    ...echoModel,
    async *reply({ signal }) {
      signal.addEventListener("abort", () => stopped.resolve());
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        yield { kind: "delta", delta: "and " };
      }
    },
  };
  return { model, stopped: stopped.promise };
}

/** A service for embeddings that is not part of this project. */
async function startUpstream() {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  const baseUrl = `${await mock.start()}/v1`;
  const embeddingModels = [{ name: "vectors", model: "text-embedding-3-small" }];
  return { plugin: openAiModels({ baseUrl, embeddingModels, retries: 0 }), close: () => mock.stop() };
}

/** The number of servers: 1, or 3 behind the load balancer of `deploy/several-servers`. */
const defaultCount = Number(process.env["TELEX_FOREIGN_SERVERS"] ?? "1");

type Stores = Pick<TelexOptions, "storage" | "blobs" | "bus">;

/** Opens the stores of servers: in memory, or in a database that all servers share. */
async function openStores(count: number) {
  if (count === 1) {
    const open = (): Promise<Stores> => Promise.resolve({ storage: createMemoryStorage(), blobs: createMemoryBlobs() });
    return { open, close: () => Promise.resolve() };
  }
  const mongo = await startMongo();
  const bus = createLocalBus();
  const open = async (): Promise<Stores> => {
    const storage = await createMongoStorage({ url: `${mongo.url}/telex` });
    return { storage, blobs: createMongoBlobs(storage.connection), bus };
  };
  return { open, close: mongo.stop };
}

async function startOne(options: TelexOptions) {
  const telex = await createTelex(options);
  const { url, close } = await serveHttp(createHttp(telex), { port: 0 });
  return { telex, url, close: async () => void (await Promise.all([close(0), telex.close()])) };
}

/** A Telex server with the models `echo`, `taking`, `endless` and `vectors`, and a user with a token. */
export async function startServer(options: Partial<TelexOptions> = {}, count = defaultCount) {
  const endless = createEndless();
  const upstream = await startUpstream();
  const stores = await openStores(count);
  const models = new Map([
    ["echo", echoModel],
    ["taking", taking],
    ["endless", endless.model],
  ]);
  const start = async () =>
    startOne({ images: createSharpEngine(), models, plugins: [upstream.plugin], ...(await stores.open()), ...options });
  const first = await start();
  const others = await Promise.all(Array.from({ length: count - 1 }, start));
  const { telex } = first;
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const urls = others.map(({ url }) => url);
  const proxy = count === 1 ? first : await startProxy("several-servers/nginx.conf", [first.url, ...urls]);
  return {
    telex,
    userId: id,
    token,
    url: proxy.url,
    /** Resolves when a reply of the model `endless` was stopped. */
    stopped: endless.stopped,
    async close(): Promise<void> {
      await Promise.all([first, ...others].map((server) => server.close()));
      await Promise.all([upstream.close(), stores.close()]);
    },
  };
}
