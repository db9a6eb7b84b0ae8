import { readFile } from "node:fs/promises";
import { type Clock, systemClock } from "@telex/core";

/** One model of a service. */
export interface OpenAiModelOptions {
  /** The name of the model in Telex. */
  readonly name: string;
  /** The name of the model in the service. Default: the same. */
  readonly model?: string;
  /** Maximum tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** Maximum tokens of a reply, and the number if the caller names none. */
  readonly maxOutputTokens: number;
  /** The field in which the service takes that limit. Default `max_tokens`, which nearly all services understand. */
  readonly limitField?: "max_tokens" | "max_completion_tokens";
  /** True if messages may contain pictures. Default false. */
  readonly images?: boolean;
  /** True if replies may call tools. Default false. */
  readonly tools?: boolean;
}

/** One model of a service that turns texts into vectors. */
export interface OpenAiEmbeddingModelOptions {
  /** The name of the model in Telex. */
  readonly name: string;
  /** The name of the model in the service. Default: the same. */
  readonly model?: string;
  /** Maximum tokens of one text. Default 8192. */
  readonly inputTokens?: number;
}

/** Time limits of a service, in milliseconds. Time during which the reader of a reply is slow does not count. */
export interface OpenAiTimeouts {
  /** Connecting. Default 5 s. */
  readonly connect?: number;
  /**
   * From the first request to the first piece of the reply or of its reasoning, repeats included. For vectors, to the end of the
   * response. Default 120 s.
   */
  readonly firstDelta?: number;
  /** From one piece to the next. Default 30 s. */
  readonly betweenDeltas?: number;
}

/** An OpenAI-compatible service. */
export interface OpenAiOptions {
  /** The URL before `/chat/completions` and `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** The value after `Authorization: Bearer`. A function is called for each request. Omit it if the service needs no key. */
  readonly key?: string | (() => Promise<string>);
  /** The first one becomes the default model. Default: none. */
  readonly models?: readonly OpenAiModelOptions[];
  /** Models that turn texts into vectors. Default: none. */
  readonly embeddingModels?: readonly OpenAiEmbeddingModelOptions[];
  readonly timeouts?: OpenAiTimeouts;
  /** How often to repeat a request that failed before the first piece of its reply. Default 2. */
  readonly retries?: number;
  /** Measures the time limits. Only differences of its `now` are used. Default: the machine's monotonic clock. */
  readonly clock?: Clock;
}

const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (delay, run) => systemClock.after(delay, run),
};

/** The options with every default filled in. */
export interface Complete {
  readonly url: URL;
  readonly key: () => Promise<string>;
  readonly models: readonly Required<OpenAiModelOptions>[];
  readonly embeddingModels: readonly Required<OpenAiEmbeddingModelOptions>[];
  readonly timeouts: Required<OpenAiTimeouts>;
  readonly retries: number;
  readonly clock: Clock;
}

function urlOf(baseUrl: string): URL {
  const isHttp = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  // The message leaves the value out, because an address may contain a password.
  if (!isHttp) throw new TypeError("baseUrl must be an http or https address, such as https://api.openai.com/v1.");
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") throw new TypeError("baseUrl must not hold a password; use key.");
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

function modelOf(options: OpenAiModelOptions): Required<OpenAiModelOptions> {
  const { name, model = name, contextTokens, maxOutputTokens, limitField = "max_tokens" } = options;
  const { images = false, tools = false } = options;
  const isRight = [contextTokens, maxOutputTokens].every((tokens) => Number.isSafeInteger(tokens) && tokens > 0);
  if (name === "" || !isRight || maxOutputTokens > contextTokens) {
    throw new TypeError(
      `The model ${JSON.stringify(name)} needs a name, contextTokens, and maxOutputTokens that are not greater than contextTokens.`,
    );
  }
  return { name, model, contextTokens, maxOutputTokens, limitField, images, tools };
}

function embeddingModelOf(options: OpenAiEmbeddingModelOptions): Required<OpenAiEmbeddingModelOptions> {
  const { name, model = name, inputTokens = 8192 } = options;
  if (name === "" || !Number.isSafeInteger(inputTokens) || inputTokens < 1)
    throw new TypeError(`The model ${JSON.stringify(name)} needs a name, and inputTokens of 1 or more.`);
  return { name, model, inputTokens };
}

/**
 * Fills in the defaults.
 * @throws TypeError for an invalid address or model
 */
export function complete(options: OpenAiOptions): Complete {
  const { baseUrl, key = "", models = [], embeddingModels = [], timeouts = {} } = options;
  const { retries = 2, clock = monotonicClock } = options;
  return {
    url: urlOf(baseUrl),
    key: typeof key === "string" ? () => Promise.resolve(key) : key,
    models: models.map(modelOf),
    embeddingModels: embeddingModels.map(embeddingModelOf),
    timeouts: { connect: 5000, firstDelta: 120_000, betweenDeltas: 30_000, ...timeouts },
    retries,
    clock,
  };
}

/**
 * Reads a key from a file, again for each request, so that the key can be replaced while the server runs.
 * @returns a function for {@link OpenAiOptions.key}; it rejects if the file cannot be read or is empty
 */
export const keyFromFile =
  (path: string): (() => Promise<string>) =>
  async () => {
    const key = (await readFile(path, "utf8")).trim();
    if (key === "") throw new Error("the file of the key is empty");
    return key;
  };
